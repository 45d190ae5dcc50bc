package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/tickback/tickback/bench/peers/air"
	"github.com/tickback/tickback/bench/peers/game"
	"github.com/tickback/tickback/bench/peers/held"
	"github.com/tickback/tickback/rollback"
)

// batches is how many parts a measurement has; what is printed is their median.
const batches = 9

// measured runs something in batches, and returns the median of the processor time that each operation of a batch took.
// do returns how many operations it has done.
func measured(do func() int) time.Duration {
	times := make([]float64, batches)
	for i := range times {
		start := processor()
		n := do()
		times[i] = float64(processor()-start) / float64(max(n, 1))
	}
	slices.Sort(times)
	return time.Duration(times[batches/2] * 1000) // in thousandths of a nanosecond
}

// printTime prints what measured returned.
func printTime(t time.Duration) { print("time", float64(t)/1000, "ns") }

// weather returns that of a row: rtt and jitter in milliseconds, loss in percent.
func (a arguments) weather() air.Weather {
	return air.Weather{
		Seed: uint64(a.number("seed", 1)), DelayUS: a.number("rtt", 0) * 500,
		JitterUS: a.number("jitter", 0) * 1000, LossPPM: a.number("loss", 0) * 10_000,
	}
}

// play runs something with the game that the arguments name.
func (a arguments) play(f player) error {
	switch name := a["game"]; name {
	case "tiny", "":
		return f.tiny(game.NewTiny(), a)
	case "duel":
		return f.duel(game.NewDuel(), a)
	case "64k":
		return f.kib64(game.NewKib64(), a)
	case "1m":
		return f.mib1(game.NewMib1(), a)
	case "16m":
		return f.mib16(game.NewMib16(), a)
	default:
		return fmt.Errorf("no game is called %q: there are tiny, duel, 64k, 1m and 16m", name)
	}
}

// match plays a match, and prints what a frame of a peer takes.
func match(a arguments) error { return a.play(matchPlayer) }

func matchOf[S any](g rollback.Game[S, game.Input], a arguments) error {
	players, frames := a.number("players", 2), a.number("frames", 6000)
	m, err := newMesh(g, players, a.weather(), held.NewTable(game.Seed, players, tableFrames), false)
	if err != nil {
		return err
	}
	if err := m.connect(120); err != nil {
		return err
	}
	warm := frames / 10
	if warm < 60 {
		warm = 60
	}
	for range warm {
		m.tick()
	}
	m.stalls, m.frames = 0, 0
	m.net.Datagrams, m.net.Bytes = 0, 0
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	ticks := 0
	printTime(measured(func() int {
		done := m.frames
		for range frames / batches {
			m.tick()
			ticks++
		}
		return m.frames - done
	}))
	runtime.ReadMemStats(&after)
	if !m.playing() {
		return fmt.Errorf("the match has ended: %w", m.failure())
	}
	n := float64(m.frames)
	seconds := float64(ticks) / air.Rate * float64(players)
	print("allocs", float64(after.Mallocs-before.Mallocs)/n, "per-frame")
	print("bytes", float64(m.net.Bytes)/seconds, "B/s")
	print("datagrams", float64(m.net.Datagrams)/seconds, "per-second")
	print("stalls", 100*float64(m.stalls)/float64(ticks*players), "percent")
	return nil
}

// syncTest prints what a tick of a sync test takes, in which all players are local.
func syncTest(a arguments) error { return a.play(syncPlayer) }

func syncOf[S any](g rollback.Game[S, game.Input], a arguments) error {
	const players = 2
	frames, depth := a.number("frames", 6000), a.number("depth", 2)
	in := held.NewTable(game.Seed, players, tableFrames)
	cfg := rollback.Config{Players: players, Local: rollback.SetOf(0, 1), Window: 8, SyncTest: depth}
	if depth == 0 {
		cfg.Window = 0 // no test, and nothing to go back to: the sync tests of the others save nothing at this depth, either
	}
	e, err := rollback.New(g, cfg)
	if err != nil {
		return err
	}
	f := 0
	run := func() int {
		n := max(frames/batches, 1)
		for range n {
			for p := range rollback.Player(players) {
				if err = e.AddLocal(p, game.Input(in.At(int(p), f)), nil); err != nil {
					break
				}
			}
			if err = e.Tick(); err != nil {
				break
			}
			f++
		}
		return n
	}
	run()
	printTime(measured(run))
	return err
}

// live returns the bytes of the heap that are in use.
func live() uint64 {
	var s runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}

// memory prints the heap that a peer of the near-empty game keeps after a minute of play.
func memory(a arguments) error {
	players := a.number("players", 2)
	inputs := held.NewTable(game.Seed, players, tableFrames)
	m, err := newMesh(game.NewTiny(), players, a.weather(), inputs, false)
	if err != nil {
		return err
	}
	if err := m.connect(120); err != nil {
		return err
	}
	for range a.number("seconds", 60) * air.Rate {
		m.tick()
	}
	with := live()
	m.peers = nil
	without := live()
	runtime.KeepAlive(m.net)
	runtime.KeepAlive(inputs) // which the peers read, and do not keep
	print("memory", float64(with-without)/float64(players), "B")
	return nil
}

// connect prints how long it takes until all play, in virtual time, over some seeds.
func connect(a arguments) error {
	players, seeds := a.number("players", 2), a.number("seeds", 51)
	var all []time.Duration
	failed := 0
	for seed := range seeds {
		w := a.weather()
		w.Seed = uint64(seed + 1)
		m, err := newMesh(game.NewTiny(), players, w, held.NewTable(game.Seed, players, 600), false)
		if err != nil {
			return err
		}
		if err := m.connect(120); err != nil {
			failed++
			continue
		}
		all = append(all, m.now)
	}
	print("failed", 100*float64(failed)/float64(seeds), "percent")
	if len(all) == 0 {
		return nil
	}
	slices.Sort(all)
	print("median", all[len(all)/2].Seconds()*1000, "ms")
	print("worst", all[len(all)-1].Seconds()*1000, "ms")
	return nil
}

// check prints the hashes that all libraries must agree on: of states without a network, and of agreed states of matches
// over a bad one.
func check(a arguments) error {
	for _, c := range []struct {
		game            string
		players, frames int
	}{
		{"tiny", 2, 3000},
		{"tiny", 4, 3000},
		{"tiny", 8, 3000},
		{"tiny", 16, 3000},
		{"duel", 2, 3000},
		{"64k", 2, 300},
		{"1m", 2, 100},
		{"16m", 2, 20},
	} {
		a := arguments{"game": c.game, "players": fmt.Sprint(c.players), "frames": fmt.Sprint(c.frames)}
		if err := a.play(barePlayer); err != nil {
			return err
		}
	}
	for _, c := range []struct {
		game    string
		players int
	}{{"tiny", 2}, {"tiny", 4}, {"tiny", 8}, {"tiny", 16}, {"duel", 2}, {"64k", 2}} {
		if most := a.number("players", 16); c.players > most {
			continue
		}
		a := arguments{"game": c.game, "players": fmt.Sprint(c.players), "rtt": "80", "jitter": "20", "loss": "5"}
		if err := a.play(agreedPlayer); err != nil {
			return fmt.Errorf("%s, %d players: %w", c.game, c.players, err)
		}
	}
	return nil
}

func bareOf[S any](g rollback.Game[S, game.Input], a arguments) error {
	players := a.number("players", 2)
	h, err := game.Hash(g, players, a.number("frames", 0))
	if err != nil {
		return err
	}
	printHash(fmt.Sprintf("bare/%s/%d", a["game"], players), h)
	return nil
}

// agreedFrame is the frame whose agreed state is hashed after a match over a bad network: ten seconds.
const agreedFrame = 600

func agreedOf[S any](g rollback.Game[S, game.Input], a arguments) error {
	players := a.number("players", 2)
	m, err := newMesh(g, players, a.weather(), held.NewTable(game.Seed, players, tableFrames), true)
	if err != nil {
		return err
	}
	if err := m.connect(120); err != nil {
		return err
	}
	for range 40 * air.Rate {
		m.tick()
	}
	hash, found := m.peers[0].hashes[agreedFrame]
	for i, p := range m.peers {
		if h, here := p.hashes[agreedFrame]; !found || !here || h != hash {
			return fmt.Errorf("peer %d has the hash %016x (%v), and peer 0 %016x (%v): %w", i, h, here, hash, found, m.failure())
		}
	}
	printHash(fmt.Sprintf("agreed/%s/%d", a["game"], players), hash)
	return nil
}

func init() {
	// What is measured is the processor time of all threads, so the collector's is in it.
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(2)
	}
}
