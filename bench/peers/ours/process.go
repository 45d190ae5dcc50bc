package main

import (
	"net/netip"
	"slices"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/bench/peers/air"
	"github.com/tickback/tickback/bench/peers/game"
	"github.com/tickback/tickback/bench/peers/held"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/transport/udp"
)

// process plays one peer of a match between processes, over UDP on this machine, and prints what a frame took. Peer i has
// the port after that of peer i-1.
func process(a arguments) error {
	me, players, port := a.number("me", 0), a.number("players", 2), a.number("port", 7300)
	at := func(i int) netip.AddrPort {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(port+i))
	}
	conn, err := udp.ListenPolled(at(me).String())
	if err != nil {
		return err
	}
	in, sampled := held.NewTable(game.Seed, players, tableFrames), 0
	o := tickback.Options[game.Tiny, game.Input]{Transport: conn, Sample: func(p tickback.Player) game.Input {
		sampled++
		return game.Input(in.At(int(p), sampled-1))
	}}
	for i := range players {
		if i != me {
			o.Peers = append(o.Peers, tickback.Peer{Players: rollback.SetOf(rollback.Player(i)), Addr: at(i)})
		}
	}
	m, err := tickback.P2P(game.NewTiny(), o)
	if err != nil {
		return err
	}
	defer m.Close()
	l := lap{warm: 2 * air.Rate, frames: a.number("seconds", 10) * air.Rate}
	for l.more(int(m.Stats().Frame)) {
		start := time.Now()
		wait, err := m.Update()
		if err != nil {
			return err
		}
		l.turn(time.Since(start))
		m.Wait(wait)
	}
	l.print()
	// The others need what was sent last.
	for range air.Rate {
		m.Update()
		time.Sleep(time.Second / air.Rate)
	}
	return nil
}

// lap measures the frames of a process after it has warmed up.
type lap struct {
	warm, frames int
	begun        bool
	first        int
	time         time.Duration
	switches     int64
	turns        []time.Duration
	last         int
}

// more reports whether there is more to do.
func (l *lap) more(frame int) bool {
	l.last = frame
	if !l.begun && frame >= l.warm {
		l.begun, l.first, l.time, l.switches = true, frame, processor(), switches()
		l.turns = make([]time.Duration, 0, 4*l.frames)
	}
	return !l.begun || frame < l.first+l.frames
}

// turn notes how long the loop was busy.
func (l *lap) turn(d time.Duration) {
	if l.begun {
		l.turns = append(l.turns, d)
	}
}

// print prints what was measured.
func (l *lap) print() {
	n := float64(l.last - l.first)
	print("time", float64(processor()-l.time)/n, "ns")
	print("switches", float64(switches()-l.switches)/n, "per-frame")
	slices.Sort(l.turns)
	for _, c := range []struct {
		name  string
		share float64
	}{{"p50", 0.5}, {"p99", 0.99}, {"worst", 1}} {
		i := min(int(c.share*float64(len(l.turns))), len(l.turns)-1)
		print(c.name, l.turns[i].Seconds()*1e6, "us")
	}
}
