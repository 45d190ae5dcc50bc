package replay

import (
	"fmt"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// Seek goes to a state, one of First to Next; for others the error wraps [tbr.ErrNoFrame]. It simulates from the
// nearest known state before it: the current one, one in the recording, or one that was kept earlier. If the state
// cannot be reached, the error is that of [Player.Step], and the player stays where the error occurred.
func (p *Player[S, I]) Seek(f rollback.Frame) error {
	if f < p.First() || f > p.Next() {
		return fmt.Errorf("replay: state %d: %w: it has %d to %d", f, tbr.ErrNoFrame, p.First(), p.Next())
	}
	if f == p.At() && p.broken == nil {
		return nil
	}
	p.listen()
	err := p.travel(f)
	if key, ok := p.keyframe(f); err != nil && ok && key == f {
		err = p.load(f) // the recording is damaged before state f
	}
	p.listen()
	p.sounds.landed(effects.Frame(p.At()))
	p.check.jump()
	return err
}

// travel goes to a state.
func (p *Player[S, I]) travel(f rollback.Frame) error {
	err := p.approach(f)
	for n := 0; err == nil && p.At() < f; n++ {
		if err = p.step(); err != nil {
			break
		}
		if p.cache.offer(p.engine); n%deaf == deaf-1 {
			p.listen()
		}
	}
	return err
}

// approach makes the nearest known state before f the current one. If it can, it stays at least one frame below f, so
// that the two last states can be drawn.
func (p *Player[S, I]) approach(f rollback.Frame) error {
	goal := max(f, p.First()+1) - 1
	from, here := p.At(), p.At() <= goal && p.broken == nil
	if s := p.cache.best(goal); s != nil && (!here || from < s.Frame()) {
		from, here = s.Frame(), false
	} else if !here {
		from = p.First()
	}
	for key, ok := p.keyframe(goal); ok && key > from; key, ok = p.keyframe(key - 1) {
		if p.load(key) == nil {
			return nil
		}
		// The state is damaged, or comes from another build. More frames are simulated instead.
	}
	s := p.cache.best(goal)
	switch {
	case here:
		return nil
	case s != nil:
		p.leave()
		return p.engine.Restore(s)
	}
	return p.enter(p.First())
}

// leave drops everything that belongs to the current position.
func (p *Player[S, I]) leave() {
	p.cursor, p.gone, p.broken = nil, 0, nil
	p.sounds.on = p.sounds.on[:0]
}

// keyframe returns the number of the last recorded state at or before f, if the game can load it.
func (p *Player[S, I]) keyframe(f rollback.Frame) (last rollback.Frame, ok bool) {
	if !p.game.Marshal {
		return 0, false
	}
	for k := range p.r.Keyframes() {
		if rollback.Frame(k) > f {
			break
		}
		last, ok = rollback.Frame(k), true
	}
	return last, ok
}

// load makes a state of the recording the current one.
func (p *Player[S, I]) load(f rollback.Frame) error {
	frame, state, err := p.r.Keyframe(uint32(f))
	if err != nil {
		return err
	}
	err = Survive(func() error { return p.engine.Load(rollback.Frame(frame), state) })
	if panicked, ok := err.(*PanicError); ok {
		p.broken = panicked // the state may be loaded in part
	}
	if err != nil {
		return fmt.Errorf("replay: the recording's state is not one of this build: %w", err)
	}
	p.leave()
	return nil
}

// enter sets the engine to the first state of the recording.
func (p *Player[S, I]) enter(first rollback.Frame) error {
	if first == 0 {
		p.leave()
		if p.broken = Survive(func() error { return p.engine.Restart(p.init) }); p.broken != nil {
			return p.broken
		}
		return p.checkState0()
	}
	if !p.game.Marshal {
		return &rollback.CapabilityError{Missing: "Unmarshal", For: "a recording that begins with a state"}
	}
	return p.load(first)
}

// checkState0 compares state 0 with that of the recording.
func (p *Player[S, I]) checkState0() error {
	want := p.r.Header().State0
	got, err := p.engine.Hash()
	if want == 0 || err != nil || got == want {
		return nil
	}
	return &DifferenceError{"hash of state 0", fmt.Sprintf("%016x", got), fmt.Sprintf("%016x", want)}
}
