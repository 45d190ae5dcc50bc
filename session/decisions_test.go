package session

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/membership"
)

// still is the frames of a machine that has run some, and ends nowhere.
type still Frame

func (s still) Next(Player) Frame                     { return Frame(s) }
func (s still) Floor() Frame                          { return Frame(s) }
func (s still) Provisional() (rollback.Outcome, bool) { return rollback.Outcome{}, false }

var doNames = [...]string{"emit", "disconnect", "part", "admit", "resume", "revoke", "send kick", "say leave", "rest", "linger", "close", "fail", "abandon"}

// transcript takes all orders.
func (r *decisions) transcript(f facts) string {
	var b strings.Builder
	for o := r.next(f); o != nil; o = r.next(f) {
		fmt.Fprintf(&b, "%s %v %v %d %q %v; ", doNames[o.kind], o.what, o.players, o.frame, o.text, o.err)
	}
	return b.String()
}

// What the log decides becomes orders: no network, no engine, no clock.
func TestRulings(t *testing.T) {
	const everybody = PlayerSet(0b111)
	made := func(continues bool) *decisions {
		r := &decisions{rules: rules{local: 1, everybody: everybody, continues: continues, linger: time.Second, quorumTimeout: time.Second}, frames: still(50)}
		r.match = match{limit: NoFrame, pausedAt: NoFrame}
		r.core = membership.New(1, membership.Begin([]PlayerSet{1, 2, 4}, 0), still(50), membership.Config{Kickers: 1})
		return r
	}
	f := facts{now: time.Second, phase: Playing, frame: 50}
	drop := membership.Entry{Kind: membership.Drop, Players: 4}
	drop.Cuts[2] = 40
	for _, c := range []struct {
		what      string
		continues bool
		tell      func(r *decisions)
		want      string
	}{
		{"a drop ends the match", false, func(r *decisions) { r.apply(&drop, f) }, `part Dropped`},
		{"a drop, and it goes on", true, func(r *decisions) { r.apply(&drop, f) }, `disconnect`},
		{"a kick", true, func(r *decisions) { _ = r.kick(4, "rude", f) }, `send kick`},
		{"leaving", true, func(r *decisions) { r.leave("bye", ErrClosed, f, 50, 5, true) }, `rest`},
		{"a pause", true, func(r *decisions) {
			r.apply(&membership.Entry{Kind: membership.Pause, Players: 2, Frame: 60}, f)
		}, `emit`},
		{"we are out", true, func(r *decisions) {
			e := membership.Entry{Kind: membership.Kick, Players: 1}
			e.Cuts[0] = 40
			r.core.State().Absent[0].From = 40
			r.apply(&e, f)
		}, `fail`},
	} {
		r := made(c.continues)
		c.tell(r)
		got := r.transcript(f)
		t.Logf("%s: %s limit %d", c.what, got, int32(r.match.limit))
		if !strings.Contains(got, strings.Fields(c.want)[0]) {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}
