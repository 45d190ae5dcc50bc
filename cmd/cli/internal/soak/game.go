package soak

import (
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/session"
)

// soak plays a plan, as long as goOn says so. The players do anything at random.
func (g *typed[S, I]) soak(p fleet.Plan, goOn func() bool) (fleet.Result, error) {
	return fleet.Play(g.Game, p, fleet.Options[S, I]{
		Start:    g.soakStart,
		Progress: func(_, _ time.Duration) bool { return goOn() },
	})
}

// seedsToTry is how many seeds are tried until the game takes one.
const seedsToTry = 20

// soakStart is Spec.Start. Seeds of plans are any number, and a game may take only
// some.
func (g *typed[S, I]) soakStart(p session.Parameters) (init func(*S), err error) {
	for k := range uint64(seedsToTry) {
		init, err = g.Begin(tickback.Parameters{Seed: p.Seed%(1<<31) + k, Frames: p.Frames})
		if err == nil {
			return init, nil
		}
	}
	return nil, err
}
