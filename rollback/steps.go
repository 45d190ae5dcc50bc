package rollback

import (
	"fmt"

	"github.com/tickback/tickback/rollback/effects"
)

// steps is what the steps of an engine see, and what they say besides the state: effects, the end of the match, how
// long they take.
type steps[I comparable] struct {
	tick    Tick[I]
	careful bool // frames need more than a copy and a step
	always  bool // they always do
	effects effectLog
	ending  ending
	meter   meter
	err     error // why the states of the match cannot be held any more
}

// newSteps returns the steps of a match with these inputs, which have to stay where they are.
func newSteps[I comparable](n *inputs[I], kinds []effects.Declaration, cfg *Config) (s steps[I], err error) {
	if s.effects, err = newEffectLog(kinds, cfg); err != nil {
		return s, err
	}
	r := &n.ring
	s.tick = Tick[I]{
		inputs: r.inputs, orders: r.orders, rows: r.rows, mask: r.mask, next: &n.next,
		newest: &n.frame, players: Player(r.players), testing: cfg.SyncTest > 0, emitter: s.effects.emitter(),
	}
	s.always = cfg.Snapshots == 1 || s.effects.journal != nil || cfg.SyncTest > 0
	s.ending, s.meter.clock = newEnding(len(r.rows)), cfg.Clock
	return s, nil
}

// reset begins anew with frame start. Events are passed on to the owner.
func (s *steps[I]) reset(start Frame, missed []effects.Event) {
	s.effects.reset(start, missed)
	s.ending.reset(start)
	s.err, s.tick.meter, s.careful = nil, nil, s.always
}

// measure decides whether the frames that run before frame f has run are measured.
func (s *steps[I]) measure(f Frame) {
	s.tick.meter = nil
	if s.meter.clock != nil && f%meterEvery == 0 {
		s.tick.meter = &s.meter
	}
	s.careful = s.always || s.tick.meter != nil || s.ending.open
}

// prepare sets up the tick for frame f.
func (s *steps[I]) prepare(f Frame) {
	t := &s.tick
	t.frame, t.at, t.finished = f, int(f&t.mask)*int(t.players), false
	s.effects.begin(f)
}

// note records whether the step of frame f has finished the match.
func (s *steps[I]) note(f Frame) {
	if s.tick.finished {
		s.tick.finished, s.careful = false, true
		s.ending.call(f, s.tick.result)
	} else if s.ending.open {
		s.ending.pass(f)
	}
}

// fail notes an error of the states. The first one counts.
func (s *steps[I]) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// said returns what the step of frame f reported besides its state.
func (s *steps[I]) said(f Frame) (r StepReport) {
	r.Effects = s.effects.digest(f)
	if r.Result, r.Finished = s.ending.called(f); !r.Finished {
		r.Result = 0
	}
	return r
}

// error returns the reason why the match cannot go on after frame f, if there is one.
func (s *steps[I]) error(f Frame) error {
	if err := s.effects.err(); err != nil && s.err == nil {
		return fmt.Errorf("rollback: frame %d: %w", f, err)
	}
	return s.err
}
