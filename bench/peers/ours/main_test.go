package main

import (
	"os"
	"testing"

	"github.com/tickback/tickback/bench/peers/air"
	"github.com/tickback/tickback/bench/peers/game"
	"github.com/tickback/tickback/bench/peers/held"
)

// quiet sends what rows print to nowhere, for a test.
func quiet(t *testing.T) {
	t.Helper()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	old := os.Stdout
	os.Stdout = null
	t.Cleanup(func() {
		os.Stdout = old
		null.Close()
	})
}

// Rule: each row runs, with each game; a row, a game or an argument that is not there is an error.
func TestRowsRun(t *testing.T) {
	quiet(t)
	for _, args := range [][]string{
		{"match", "game=tiny", "players=3", "rtt=60", "loss=10", "jitter=5", "frames=90"},
		{"match", "game=duel", "frames=90"},
		{"match", "game=64k", "frames=90"},
		{"match", "game=1m", "frames=9"},
		{"sync", "game=duel", "depth=4", "frames=90"},
		{"memory", "seconds=1"},
		{"connect", "rtt=100", "loss=20", "seeds=3"},
		{"tick", "frames=64"},
		{"worlds", "units=1000", "frames=90"},
	} {
		if err := run(args); err != nil {
			t.Errorf("%q: %v", args, err)
		}
	}
	for _, args := range [][]string{nil, {"nothing"}, {"match", "frames"}, {"match", "game=chess"}, {"match", "players=99"}} {
		if run(args) == nil {
			t.Errorf("%q is no error", args)
		}
	}
}

// Rule: peers on a bad network agree on the state that the same inputs make without a network.
func TestAgreedStatesAreThoseWithoutANetwork(t *testing.T) {
	want, err := game.Hash(game.NewDuel(), 2, agreedFrame)
	if err != nil {
		t.Fatal(err)
	}
	w := air.Weather{Seed: 9, DelayUS: 40_000, JitterUS: 20_000, LossPPM: 100_000}
	m, err := newMesh(game.NewDuel(), 2, w, held.NewTable(game.Seed, 2, tableFrames), true)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.connect(60); err != nil {
		t.Fatal(err)
	}
	for range 30 * air.Rate {
		m.tick()
	}
	for i, p := range m.peers {
		if got := p.hashes[agreedFrame]; got != want {
			t.Errorf("peer %d agrees on %016x, and without a network it is %016x", i, got, want)
		}
	}
	if m.frames < 2*agreedFrame || m.net.Bytes == 0 {
		t.Errorf("%d frames, %d bytes", m.frames, m.net.Bytes)
	}
}
