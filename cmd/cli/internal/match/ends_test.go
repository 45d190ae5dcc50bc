package match

import (
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/ends"
	"github.com/tickback/tickback/cmd/cli/internal/live"
)

// Rule: whatever ends a match of peers, the log and the output of the command are true for the player who reads them.
func TestHowMatchesEnd(t *testing.T) {
	two, at := tickback.SetOf(1), netip.MustParseAddrPort("192.0.2.2:7000")
	served := []ends.End{{Never: "a server says that to its clients"}}
	ends.Check(t, ends.Table{
		"MismatchError": {
			{Err: &tickback.MismatchError{Players: two, Item: "build", Ours: "1", Theirs: "2"}, Log: "player 1 cannot join: the build differs: here 1, there 2: both sides need the same build of the game", Says: "player 2 has another build of the game: here 1, there 2"},
			{Err: &tickback.MismatchError{Players: two, Item: "game", Ours: "1", Theirs: "2"}, Log: "player 1 cannot join: the game differs: here 1, there 2: look at its address, and at GameID", Says: "player 2 plays another game: here 1, there 2"},
		},
		"PlaceError":   {{Err: &tickback.PlaceError{Local: 1, Expected: two, Claimed: 1}, Log: "both this machine and the one at the address of player 1 claim player 0 (players count from 0): have each play as players of its own", Says: "we are player 1, and so is the machine that should be player 2 at 192.0.2.2:7000: each needs a --player of its own"}},
		"TimeoutError": {{Err: &tickback.TimeoutError{Players: two, For: "an answer", After: time.Second}, Log: "waited 1s for an answer of player 1", Says: "nobody is there: no answer from player 2 at 192.0.2.2:7000 for 1.0 s"}},
		"RefusedError": {{Err: &tickback.RefusedError{Players: two, Reason: "no stage"}, Log: "player 1 refused the match: no stage", Says: "player 2 refused the match: no stage"}},
		"LostError": {
			{Err: &tickback.LostError{Players: two, Why: "silent for 5s"}, Log: "lost player 1: silent for 5s", Says: "lost player 2: silent for 5s"},
			{Err: &tickback.LostError{Players: two, Restarted: two, Why: "no match can begin without them"}, Log: "lost player 1, who was started again: no match can begin without them", Says: "player 2 was started again, and has forgotten the match: start it again here, too"},
		},
		"RemovedError": {
			{Err: &tickback.RemovedError{Frame: 70, Kicked: true, Reason: "rude"}, Log: "we were kicked: rude (frame 70)", Says: "player 1 has sent us away, at frame 70: rude"},
			{Err: &tickback.RemovedError{Frame: 70}, Log: "the others have gone on without us (frame 70)", Says: "the others have gone on without us, from frame 70 on; come back with --join"},
		},
		"QuorumError": {{Err: &tickback.QuorumError{Players: two, After: 10 * time.Second}, Log: "waited 10s for player 1: without them we are no majority of the match", Says: "nothing was heard of player 2 for 10 s, and without them too few are left to go on"}},
		"JoinError": {
			{Err: &tickback.JoinError{Why: "the match has ended"}, Log: "the match cannot be joined: the match has ended", Says: "the match cannot be joined: the match has ended"},
			{Err: &tickback.JoinError{Why: "the token was revoked", Revoked: true}, Log: "the match cannot be joined: the token was revoked", Says: "the token was revoked, since somebody was sent away: ask those who play for another one"},
		},
		"RestartedError": {
			{Err: &tickback.RestartedError{Players: two, Playing: true, Joins: true}, Log: "player 1 still plays the match of the process that was here before: join it, with its token", Says: "player 2 at 192.0.2.2:7000 still plays the match that was begun from here before: it goes on without us; come back with --join"},
			{Err: &tickback.RestartedError{Players: two, Playing: true}, Log: "player 1 still plays the match of the process that was here before, and lets nobody in: start again when it is over", Says: "player 2 at 192.0.2.2:7000 still plays the match that was begun from here before: it goes on without us, and without a --token nobody can come back; start again when it is over"},
			{Err: &tickback.RestartedError{Players: two}, Log: "player 1 is still in a session with the process that was here before: start again when that is over", Says: "player 2 at 192.0.2.2:7000 has not given up yet the process that was here before: start again in a few seconds"},
		},
		"SyncTestError":    {{Never: "match has no sync test"}},
		"TokenError":       {{Err: refusedToken(at), Log: "no host lets us in: 192.0.2.2:7000: the token is not that of the match: give the token that its players have", Says: "cannot join 192.0.2.2:7000: the token is not that of the match: give the token that its players have"}},
		"ByeError":         served,
		"ServerLostError":  served,
		"ErrPartial":       served,
		"JournalError":     {{Never: "it ends a server"}},
		"ErrJournalEnded":  {{Never: "it ends a server"}},
		"WishError":        {{Never: "a kick or a pause that cannot be is said, and the match goes on"}},
		"ErrClosed":        {{Err: tickback.ErrClosed, Log: "the session is closed", Says: "the session is closed"}},
		"HostsError":       {{Err: &tickback.HostsError{Hosts: []netip.AddrPort{at}, Why: []error{tickback.ErrEnd}}, Log: "no host lets us in: 192.0.2.2:7000: the match is over", Says: "cannot join 192.0.2.2:7000: the match is over"}},
		"ErrHostRestarted": {{Err: &tickback.HostsError{Hosts: []netip.AddrPort{at}, Why: []error{tickback.ErrHostRestarted}}, Log: "no host lets us in: 192.0.2.2:7000: it was started again", Says: "cannot join 192.0.2.2:7000: it was started again"}},
		"ErrEnd":           {{Never: "players see the outcome, and no end of a stream"}},
	}, func(err error) string {
		s := &matchSetup{seat: seat{players: 3}, contacts: contacts{remote: []tickback.Peer{{Players: two, Addr: at}}}, log: &live.Log{}}
		return s.explainError(err).Error()
	})
}

// refusedToken is how a wrong token ends the search for a host.
func refusedToken(at netip.AddrPort) error {
	return &tickback.HostsError{Hosts: []netip.AddrPort{at}, Why: []error{&tickback.TokenError{Reason: "the token is not that of the match"}}}
}

// Rule: this is also so for a match that ends with an outcome.
func TestHowMatchesWithAnOutcomeEnd(t *testing.T) {
	two := tickback.SetOf(1)
	for _, c := range []struct {
		log          live.Log
		res          matchResult
		reason, says string
	}{
		{live.Log{}, matchResult{ending: ending{over: true, limit: 9}}, "left", "the match was ended after 0 of 9 frames"},
		{live.Log{Left: two}, matchResult{ending: ending{over: true, limit: 9}}, "left", "player 2 left after 0 of 9 frames"},
		{live.Log{Left: two}, matchResult{ending: ending{over: true}}, "left", ""},
		{live.Log{Lost: two, Why: "silent for 5s"}, matchResult{ending: ending{over: true, limit: 9}}, "lost", "lost player 2 after 0 frames: silent for 5s"},
		{live.Log{DesyncAt: 7}, matchResult{ending: ending{over: true, limit: 9}}, "desynced", "desync: the players were not in the same states, from frame 7 on at the latest: the game is not deterministic, or a build differs"},
	} {
		s := &matchSetup{seat: seat{players: 3}, log: &c.log}
		res := c.res
		if c.log.DesyncAt != 0 {
			res.Health = "desynced"
		}
		says := ""
		if err := s.verdict(overMatch{}, nil, &res); err != nil {
			says = err.Error()
		}
		if says != c.says || res.Reason != c.reason {
			t.Errorf("%q, %q", res.Reason, says)
		}
	}
}
