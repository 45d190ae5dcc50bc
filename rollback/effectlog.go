package rollback

import (
	"fmt"

	"github.com/tickback/tickback/rollback/effects"
)

// effectLog is the journal of effects, as far as the owner has read it.
type effectLog struct {
	journal *effects.Journal // nil if the game declares no effects
	fresh   bool             // the journal has something to flush
	missed  []effects.Event  // ends of effects of frames that the match has left; the owner has not read them yet
	flushed Frame            // the frame of the last flush
}

// newEffectLog makes the journal, if the game declares effects.
func newEffectLog(kinds []effects.Declaration, cfg *Config) (l effectLog, err error) {
	if len(kinds) == 0 {
		return l, nil
	}
	l.journal, err = effects.NewJournal(effects.Config{
		Kinds: kinds, MaxPerFrame: cfg.MaxEffects, Tolerance: cfg.EffectTolerance,
		History: 2*cfg.History + 1, // frames not agreed yet, and frames whose events were not read
	})
	if err != nil {
		return l, fmt.Errorf("rollback: %w", err)
	}
	return l, nil
}

// emitter returns where steps emit effects; nil without effects.
func (l *effectLog) emitter() *effects.Emitter {
	if l.journal == nil {
		return nil
	}
	return l.journal.Emitter()
}

// reset forgets all effects. Events that the owner has not read remain if they are given.
func (l *effectLog) reset(start Frame, missed []effects.Event) {
	l.flushed, l.missed, l.fresh = start, missed, len(missed) > 0
	if l.journal != nil {
		l.journal.Reset(start)
	}
}

// begin begins a frame.
func (l *effectLog) begin(f Frame) {
	if l.journal != nil {
		l.journal.Begin(f)
		l.fresh = true
	}
}

// agree notes that more frames are agreed, which confirms effects.
func (l *effectLog) agree() { l.fresh = l.journal != nil }

// flush returns the changes since the last call, which the owner makes in frame now.
func (l *effectLog) flush(now, confirmed, agreed Frame) []effects.Event {
	l.fresh, l.flushed = false, now
	events := l.journal.Flush(confirmed, agreed)
	if len(l.missed) > 0 {
		events = append(l.missed, events...)
		l.missed = l.missed[:0]
	}
	return events
}

// unread reports whether the owner has not read any effects for so many frames.
func (l *effectLog) unread(now, frames Frame) bool {
	return l.journal != nil && now-l.flushed >= frames
}

// finish ends or confirms all effects that are shown, and returns the events for the owner, including those that it has
// not read yet. The log has to be reset afterwards.
func (l *effectLog) finish() []effects.Event {
	if l.journal == nil {
		return nil
	}
	return l.journal.Finish(l.missed)
}

// digest returns the digest of the effects of a frame.
func (l *effectLog) digest(f Frame) uint64 {
	if l.journal == nil {
		return 0
	}
	return l.journal.Digest(f)
}

// err returns the error if a step has emitted something that is not allowed.
func (l *effectLog) err() error {
	if l.journal == nil {
		return nil
	}
	return l.journal.Err()
}

// dropped returns how many effects were too many for their frame.
func (l *effectLog) dropped() uint64 {
	if l.journal == nil {
		return 0
	}
	return l.journal.Dropped()
}
