//go:build desktop && !js

package main

import (
	"fmt"
	"os"
	"sync"

	"github.com/tickback/tickback/play/clipboard"
	"github.com/tickback/tickback/play/netplay"
)

// machine returns what a desktop supports for play with others. Copied texts are also printed, since there may be no
// program for the clipboard.
func machine() netplay.Machine {
	desk := clipboard.Desktop{Getenv: os.Getenv}
	var kept place
	return netplay.Machine{
		Copy: func(text string, done func(ok bool)) {
			fmt.Fprintln(os.Stderr, "tell the others:", text)
			go func() { done(desk.Write(text) == nil) }()
		},
		Paste: func(done func(text string)) {
			go func() {
				text, _ := desk.Read() // without a program the text is empty
				done(text)
			}()
		},
		Save: func(name string, data []byte) {
			if err := os.WriteFile(name, data, 0o644); err != nil {
				fmt.Fprintln(os.Stderr, "tickback-play:", err)
				return
			}
			fmt.Fprintln(os.Stderr, "written:", name)
		},
		Keep: kept.keep, Kept: kept.ticket,
	}
}

// place stores our last place in a room, for as long as the program runs.
type place struct {
	mu   sync.Mutex
	text string
}

func (p *place) keep(_, ticket string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text = ticket
}

func (p *place) ticket() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text
}
