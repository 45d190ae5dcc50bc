package spectate

import (
	"errors"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// Rule: what has come depends on all hosts that have sent some of it, since the match began or a state came.
func TestWhatDependsOnAHost(t *testing.T) {
	var r trust
	r.noteItem(&Item{From: true, host: 1})
	want(t, "on who has sent something", r.dependsOn(1), true)
	want(t, "on who has sent nothing", r.dependsOn(0), false)
	want(t, "on others, too", r.dependsOnOthers(0), true)
	want(t, "on nobody else", r.dependsOnOthers(1), false)
	r.noteItem(&Item{State: []byte{1}, host: 2})
	want(t, "on who sent something before a state", r.dependsOn(1), false)
	want(t, "on who sent the state", r.dependsOn(2), true)
	r.pin()
	want(t, "when we cannot go back", r.dependsOn(2) || r.dependsOnOthers(1), false)
	r.compared(5, 6)
	r.reset()
	want(t, "after a reset", r, trust{wasReset: true})
	want(t, "it is reported", r.takeReset(), true)
	want(t, "once", r.takeReset(), false)
	r.noteItem(&Item{Begin: &datagram.Offer{Match: 1}, host: 3})
	want(t, "on who sent the match", r.dependsOn(3), false)
}

// Rule: hosts are tried in turn, and all of them again after a pause; one that answers has nothing to be counted. The
// search is useless once each has a final reason.
func TestTheSearchGoesRound(t *testing.T) {
	var s search
	s.add(hostAddr)
	s.add(side(1, 1))
	want(t, "known", s.has(side(1, 1)) && !s.has(side(1, 2)), true)
	for i, c := range []struct {
		why   error
		final bool
		wait  time.Duration
	}{{errSilent, true, 0}, {errSilent, false, retryAfter}, {errSilent, false, 0}, {errIdle, true, 0}, {ErrRestarted, false, 0}, {errBehind, false, 0}} {
		want(t, "the current one", s.host, i%2)
		want(t, "useless", s.useless(), false)
		want(t, "waits", s.lost(c.why, c.final), c.wait)
	}
	s.lost(errSilent, true)
	want(t, "two reasons", errors.Is(s.hosts[0].reason, ErrRestarted) && errors.Is(s.hosts[0].reason, errSilent), true)
	s.lost(errSilent, true)
	want(t, "useless in the end", s.useless(), true)
	s.fed()
	want(t, "it is of use again", s.useless() || s.hosts[0].forgetful() || s.failures > 0, false)
}

// Rule: a host that answers with another run than before was restarted, unless that is known.
func TestAnotherRunIsARestart(t *testing.T) {
	var s search
	s.add(hostAddr)
	for _, c := range []struct {
		run       uint64
		restarted bool
	}{{5, false}, {5, false}, {6, true}, {7, true}} {
		s.answered(c.run)
		want(t, "restarted", s.current().forgetful(), c.restarted)
	}
	s.fed()
	want(t, "restarted, and goes on", s.current().forgetful(), false)
}
