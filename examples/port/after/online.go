package main

import (
	"math/rand/v2"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/transport/udp"
)

// Input is what a player does in a frame.
type Input struct{ Left, Right, Thrust, Fire bool }

// online is the game, as Tickback sees it: everything that can be reached from the state is saved and restored in
// place.
var online = func() rollback.OwnMemory[game, canon.Memento[game], Input] {
	g, err := rollback.SaveInPlace(rollback.OwnMemory[game, canon.Memento[game], Input]{
		New: newGame,
		Step: func(g *game, t *rollback.Tick[Input]) {
			g.update(1.0/60, [2]Input{t.Input(0), t.Input(1)})
		},
		Floats: tickback.Strict, // the same on every machine, in a program of "tickback build --strict"
	},
		canon.Encoded(), // states can be sent: to late joiners, and into recordings
	)
	if err != nil {
		panic(err) // an option names something that does not exist
	}
	return g
}()

// keyboard returns what a player does now. Outside of it the step must not look at keys.
func keyboard(tickback.Player) Input {
	return Input{pressed('a'), pressed('d'), pressed('w'), pressed('s')}
}

// play plays a match against the machine at the address other, such as "192.0.2.1:7001", and shows each picture, until
// show has had enough. Player 0 is the host. The state that is shown belongs to the match: do not change or keep it.
func play(me tickback.Player, listen, other string, show func(g *game) (more bool)) error {
	conn, others, err := udp.Open(listen, other)
	if err != nil {
		return err
	}
	m, err := tickback.P2P(online, tickback.Options[game, Input]{
		Transport: conn, Peers: tickback.Mesh(me, others...), Sample: keyboard,
		Match: tickback.Parameters{Seed: rand.Uint64()}, // the match uses those of the host
		Start: func(p tickback.Parameters) (func(g *game), error) {
			return func(g *game) { g.rand = rand.New(rand.NewPCG(p.Seed, 0)) }, nil
		},
	})
	if err != nil {
		return err
	}
	defer m.Close()
	for {
		wait, err := m.Update() // runs what is due, at the pace of both
		if _, over := m.Outcome(); over {
			return nil
		}
		if err != nil {
			return err // says who is missing, and why
		}
		if v := m.View(); v.Current != nil && !show(v.Current) {
			return nil
		}
		m.Wait(wait)
	}
}
