package session

import (
	"fmt"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// shownMatch is the match that a spectator shows: it runs frames in an engine, records them, and compares the states
// with the hashes of a host. It knows no host and no time.
type shownMatch[S any, I comparable] struct {
	game   rollback.Definition[S, I]
	hooks  SpectatorHooks[S, I]
	config rollback.Config // of the engine, but for the number of players
	engine *rollback.Engine[S, I]
	plan   *canon.Plan[I]
	inputs []I
	events *event.Queue

	recording spectatorRecording
	match     uint32
	begun     uint32 // how many matches have begun
	params    Parameters
	present   shownPlayers
	health    Health
	outcome   Outcome
	over      bool
}

// build creates the engine for the given number of players.
func (k *shownMatch[S, I]) build(players int) error {
	c := k.config
	c.Players = players
	c.Snapshots = shownStates(k.game, &c)
	engine, err := rollback.New(k.game, c)
	if err != nil {
		return err
	}
	k.engine, k.inputs = engine, make([]I, players)
	return nil
}

// rebuild gives up the match, which a host has misreported, and creates another engine.
func (k *shownMatch[S, I]) rebuild(players int) error {
	k.spoil(errAnotherMatch)
	k.match = 0
	return k.build(players)
}

// shape returns the shape of the match's frames.
func (k *shownMatch[S, I]) shape() agreed.Shape {
	return agreed.Shape{Players: k.engine.Players(), InputSize: k.plan.Size(), MaxOrders: k.config.MaxOrders}
}

// begin starts a match at frame 0.
func (k *shownMatch[S, I]) begin(o *datagram.Offer) error {
	p := stream.ParametersOf(o)
	if err := p.Check(); err != nil {
		return err
	}
	var init func(*S)
	if k.hooks.Start != nil {
		var err error
		if init, err = k.hooks.Start(p); err != nil {
			return fmt.Errorf("the match cannot be shown here: %w", err)
		}
	}
	if err := k.engine.Restart(init); err != nil {
		return err
	}
	// A match without comparison of states is still played, so it is shown.
	if state, err := k.engine.Hash(); err == nil && o.State != 0 {
		if err := admission.CompareBegin(0, state, o.State, false); err != nil {
			return err
		}
	}
	if recorded, ok := k.recording.Of(); ok && recorded != o.Match { // else the one being recorded is repeated
		k.spoil(errAnotherMatch)
	}
	k.recording.initial = o.State
	k.match, k.params, k.present, k.health, k.over = o.Match, p, shownPlayers{}, Unverified, false
	k.begun++
	k.events.Add(Event{What: Started, Match: o.Match})
	return nil
}

// run runs an agreed frame.
func (k *shownMatch[S, I]) run(f *agreed.Frame) error {
	if f.Number != uint32(k.engine.Frame()) {
		return agreed.ErrGap
	}
	if err := stream.Decode(k.plan, k.inputs, f); err != nil {
		return err
	}
	if k.recording.On() {
		k.recordState()
	}
	if err := k.engine.Feed(k.inputs, f.Orders, PlayerSet(f.Gone)); err != nil {
		return err
	}
	if k.recording.On() {
		k.recordFrame(f)
	}
	left, back := k.present.attend(PlayerSet(f.Gone))
	if left != 0 {
		k.events.Add(Event{What: Left, Players: left, Frame: Frame(f.Number)})
	}
	if back != 0 {
		k.events.Add(Event{What: Joined, Players: back, Frame: Frame(f.Number)})
	}
	if k.hooks.Agreed != nil {
		for a := k.engine.NextAgreed(); a != nil; a = k.engine.NextAgreed() {
			k.hooks.Agreed(a)
		}
	}
	return nil
}

// compare compares our state with the hash sent by a host. It reports whether they differ, once per match.
func (k *shownMatch[S, I]) compare(theirs uint64) (ours uint64, differ bool) {
	ours, err := k.engine.Hash()
	if theirs == 0 || err != nil || k.health == Desynced {
		return 0, false
	}
	if ours == theirs {
		k.health = Healthy
	}
	return ours, ours != theirs
}

// desynced notes that the host is right: the states differ.
func (k *shownMatch[S, I]) desynced(ours, theirs uint64, host string) {
	k.health = Desynced
	k.events.Add(Event{What: Desync, Frame: k.engine.Frame(), Ours: ours, Theirs: theirs, Text: host})
}

// finish ends the match.
func (k *shownMatch[S, I]) finish(e *spectate.End) {
	if Frame(e.Frames) != k.engine.Frame() && k.health == Healthy {
		k.health = Unverified // we have not seen all frames
	}
	k.outcome = Outcome{
		Match: k.match, Result: e.Result, Finished: e.Finished, Left: PlayerSet(e.Gone),
		Summary: Summary{Frames: Frame(e.Frames), Hash: e.Hash, Chain: e.Chain, Health: k.health},
	}
	k.recording.End(&RecordEnd{Ended: true, Outcome: k.outcome})
	k.over, k.match = true, 0
	k.events.Add(Event{What: Ended, Match: k.outcome.Match, Frame: k.outcome.Frames})
}

// spoil ends a recording that has begun.
func (k *shownMatch[S, I]) spoil(why error) {
	if _, recorded := k.recording.Of(); recorded {
		k.recording.End(&RecordEnd{Failed: why})
	}
}
