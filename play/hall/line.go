package hall

import (
	"context"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/online"
)

// line is the connection to a server without a room.
type line struct {
	cfg   *Config
	way   *found     // an open connection that is not used; nil if there is none
	again chan found // the result of opening another one; nil if none is being opened
}

// connect opens a client. The client takes over the connection: what the server says about its match may require
// another client, and another connection. Until that exists, the error is online.ErrBusy.
func (l *line) connect(o options) (*client, error) {
	if l.way == nil {
		if l.again == nil {
			l.dial()
		}
		select {
		case f := <-l.again:
			l.again = nil
			if f.err != nil {
				return nil, f.err
			}
			l.way = &f
		default:
			return nil, online.ErrBusy
		}
	}
	o.Server, o.Transport, o.Token = l.way.server, l.way.transport, l.cfg.Token
	m, err := tickback.Connect(tanks.Game(0), o)
	if err == nil {
		l.way = nil
	}
	return m, err
}

func (l *line) dial() {
	again, cfg := make(chan found, 1), l.cfg
	l.again = again
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), connectTime)
		defer cancel()
		t, at, err := cfg.Dial(ctx, cfg.Address)
		again <- found{transport: t, server: at, err: err}
	}()
}

// drop releases the line.
func (l *line) drop() {
	if l.again != nil {
		f := <-l.again
		f.drop()
	}
	if l.way != nil {
		l.way.drop()
	}
}
