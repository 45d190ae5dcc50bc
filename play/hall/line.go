package hall

import (
	"context"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/play/foyer"
)

// line is the connection to a server without a room.
type line struct {
	cfg   *Config
	way   *found      // an open connection that no client uses; nil if there is none
	again chan answer // the result of opening another one; nil if none is being opened
}

type answer struct {
	found found
	err   error
}

// connect opens a client, which takes over the connection. If the server's description of its match then
// requires another client, that needs another connection: until it is open, the error is online.ErrBusy.
func (l *line) connect(o options) (*client, error) {
	if l.way == nil {
		if l.again == nil {
			l.dial()
		}
		select {
		case a := <-l.again:
			l.again = nil
			if a.err != nil {
				return nil, a.err
			}
			l.way = &a.found
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
	again, cfg := make(chan answer, 1), l.cfg
	l.again = again
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), foyer.ConnectTime)
		defer cancel()
		f, err := cfg.dial(ctx)
		again <- answer{f, err}
	}()
}

// drop releases the line.
func (l *line) drop() {
	if l.again != nil {
		if a := <-l.again; a.err == nil {
			a.found.drop()
		}
	}
	if l.way != nil {
		l.way.drop()
	}
}
