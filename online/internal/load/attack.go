//go:build !js

package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// The attacks.
const (
	attackRooms   = "rooms"   // makes rooms and leaves them empty
	attackPings   = "pings"   // enters a room, and pings as fast as it can
	attackHalves  = "halves"  // opens connections, and sends a letter a second
	attackGuesses = "guesses" // tries IDs of rooms that do not exist
)

const (
	attackers = 64 // attackers per kind, in 16 networks
	// attemptEvery is the interval between the attempts of each attacker. That is not often, because all attackers run
	// on one machine; without the server's limits it would be enough.
	attemptEvery = 200 * time.Millisecond
	// halves is how many half requests each attacker of the kind attackHalves keeps open.
	halves = 47
	// pingsAtOnce is how many pings of one connection are in flight.
	pingsAtOnce = 16
	// slowly is the interval at which a half request gets another letter.
	slowly = time.Second
)

// villain returns the address of attacker i: each network has four of them.
func villain(i int) string { return fmt.Sprintf("127.16.%d.%d", i/4, 1+i%4) }

// attack starts this many attackers of each kind, which continue until they are stopped.
func (w *world) attack(ctx context.Context, kinds []string, each int) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	for _, kind := range kinds {
		for i := range each {
			running.Go(func() { w.villainy(ctx, kind, villain(i)) })
		}
	}
	return func() {
		cancel()
		running.Wait()
	}
}

func (w *world) villainy(ctx context.Context, kind, from string) {
	if kind == attackHalves {
		w.halves(ctx, from)
		return
	}
	ticker := time.NewTicker(attemptEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		w.attempts.Add(1)
		first := `{"t":"create","game":"load","seats":2}`
		if kind == attackGuesses {
			first = `{"t":"join","game":"load","room":"AAAAAAAAAAAAAAAAAAAAAA"}`
		}
		c, _, err := w.enter(ctx, from, first)
		if err != nil {
			continue
		}
		w.letIn.Add(1)
		if kind == attackPings {
			w.ping(ctx, c)
		}
		_ = c.CloseNow()
	}
}

// ping pings as fast as it can, several at once, until the server hangs up.
func (w *world) ping(ctx context.Context, c *websocket.Conn) {
	go func() {
		_, _, _ = c.Read(ctx) // receives pongs until the server hangs up
		_ = c.CloseNow()
	}()
	var pinging sync.WaitGroup
	for range pingsAtOnce {
		pinging.Go(func() {
			for c.Ping(ctx) == nil {
				w.attempts.Add(1)
				w.letIn.Add(1)
			}
		})
	}
	pinging.Wait()
}

// halves keeps requests open that are only half sent.
func (w *world) halves(ctx context.Context, from string) {
	open := make([]net.Conn, halves)
	defer func() {
		for _, c := range open {
			if c != nil {
				_ = c.Close()
			}
		}
	}()
	for ctx.Err() == nil {
		opened := 0
		for i, c := range open {
			if c != nil {
				if _, err := io.WriteString(c, "x"); err == nil {
					continue
				}
				_ = c.Close()
				open[i] = nil
			}
			if opened++; opened > int(slowly/attemptEvery) {
				continue // the next attempt is a second later
			}
			w.attempts.Add(1)
			if c, err := dial(ctx, from, w.at); err == nil {
				_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: localhost\r\nX: ") // if this fails, the next write fails too
				open[i] = c
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(slowly):
		}
	}
}
