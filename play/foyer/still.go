package foyer

import (
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rollback/effects"
)

// stillSession is what remains of a closed session: its last view.
type stillSession[S any] struct {
	seen    tickback.View[S]
	stats   tickback.Stats
	end     tickback.Outcome
	over    bool
	at      tickback.Frame
	settled *S
}

// Copy copies a plain state, for [Still].
func Copy[S any](s *S) *S {
	c := *s
	return &c
}

// Still returns a session that does nothing and has the last view of s, which may be closed afterwards. keep returns
// a copy of a state; see [Copy].
func Still[S any](s tickback.Session[S], keep func(*S) *S) tickback.Session[S] {
	k := &stillSession[S]{seen: s.View(), stats: s.Stats()}
	k.end, k.over = s.Outcome()
	last := keep(k.seen.Current)
	k.seen = tickback.View[S]{Previous: last, Current: last, Before: last, After: last, Fraction: 1, Share: 1, Frame: k.seen.Frame}
	k.stats.Links = append([]tickback.LinkStats(nil), k.stats.Links...)
	k.stats.Engine.Histogram = nil
	if m, ok := s.(interface{ Settled() (*S, tickback.Frame) }); ok {
		if state, f := m.Settled(); state != nil {
			k.settled, k.at = keep(state), f
		}
	}
	return k
}

// Update does nothing.
func (k *stillSession[S]) Update() (time.Duration, error) { return time.Second, nil }

// Advance runs no frame.
func (k *stillSession[S]) Advance() (time.Duration, error) { return time.Second, nil }

// Wait sleeps.
func (k *stillSession[S]) Wait(d time.Duration) { time.Sleep(d) }

// Poll does nothing.
func (k *stillSession[S]) Poll() error { return nil }

// View returns the last view.
func (k *stillSession[S]) View() tickback.View[S] { return k.seen }

// Effects returns nothing: all were already taken.
func (k *stillSession[S]) Effects() []effects.Event { return nil }

// Events returns nothing: all were already taken.
func (k *stillSession[S]) Events() []tickback.Event { return nil }

// Outcome returns the outcome of the session.
func (k *stillSession[S]) Outcome() (o tickback.Outcome, over bool) { return k.end, k.over }

// Stats returns the final statistics.
func (k *stillSession[S]) Stats() tickback.Stats { return k.stats }

// Settled returns the newest state that all machines had in common.
func (k *stillSession[S]) Settled() (*S, tickback.Frame) { return k.settled, k.at }

// Close does nothing.
func (k *stillSession[S]) Close() error { return nil }
