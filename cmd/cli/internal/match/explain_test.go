package match

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/live"
	"github.com/tickback/tickback/session"
)

// Errors are for people, who count players from 1.
func TestBlame(t *testing.T) {
	two, three := tickback.SetOf(1), tickback.SetOf(2)
	for _, c := range []struct {
		err  error
		want string
	}{
		{&session.TimeoutError{Players: two, For: "an answer", After: 15 * time.Second}, "nobody is there: no answer from player 2 at 192.0.2.2:7000 for 15 s"},
		{&session.TimeoutError{Players: two | three, For: "an answer", After: time.Second}, "nobody is there: no answer from players 2 and 3 for 1.0 s"},
		{&session.TimeoutError{Players: two, For: "readiness", After: time.Second}, "waited 1.0 s for readiness of player 2 at 192.0.2.2:7000"},
		{&session.MismatchError{Players: two, Item: "number of players", Ours: "3", Theirs: "2"}, "player 2 cannot play with us: the number of players differs: here 3, there 2"},
		{&session.PlaceError{Local: 1, Expected: two, Claimed: 1}, "we are player 1, and so is the machine that should be player 2 at 192.0.2.2:7000: each needs a --player of its own"},
		{&session.PlaceError{Local: 1, Expected: two, Claimed: three}, "the machine that should be player 2 at 192.0.2.2:7000 is player 3: give --peer in the order of the players, without our own"},
		{&session.RefusedError{Players: three, Reason: "no stage"}, "player 3 refused the match: no stage"},
		{&session.RefusedError{Players: tickback.SetOf(0), Reason: "no stage"}, "cannot play what player 1 proposes: no stage"},
		{&session.LostError{Players: two, Why: "silent"}, "lost player 2: silent"},
		{&session.LostError{Players: three, Why: "it left"}, "player 3 left before the match began"},
		{&session.RemovedError{Frame: 70, Kicked: true, Reason: "rude"}, "player 1 has sent us away, at frame 70: rude"},
		{&session.RemovedError{Frame: 70}, "the others have gone on without us, from frame 70 on; come back with --join"},
		{&session.QuorumError{Players: two | three, After: 10 * time.Second}, "nothing was heard of players 2 and 3 for 10 s, and without them too few are left to go on"},
		{&tickback.HostsError{Hosts: []netip.AddrPort{netip.MustParseAddrPort("192.0.2.2:7000")}, Why: []error{errors.New("it does not answer")}}, "cannot join 192.0.2.2:7000: it does not answer"},
		{errors.New("anything else"), "anything else"},
	} {
		s := &matchSetup{
			contacts: contacts{remote: []tickback.Peer{{Players: two, Addr: netip.MustParseAddrPort("192.0.2.2:7000")}, {Players: three}}},
			log:      &live.Log{Left: three},
		}
		if got := s.explainError(c.err).Error(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Why a match ended early is a word for scripts.
func TestReasons(t *testing.T) {
	for _, c := range []struct {
		err  error
		lost tickback.PlayerSet
		want string
	}{
		{&session.RemovedError{Kicked: true}, 0, "kicked"},
		{&session.RemovedError{}, 0, "removed"},
		{&session.QuorumError{}, 0, "quorum"},
		{errors.New("silent"), 1, "lost"},
		{errors.New("anything else"), 0, "failed"},
	} {
		s := &matchSetup{log: &live.Log{Lost: c.lost}}
		if got := s.reason(c.err); got != c.want {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
}

// Rule: if a process was started again, the error says so, instead of reporting a time-out.
func TestAPeerThatWasStartedAgainIsNamed(t *testing.T) {
	s := &matchSetup{seat: seat{players: 3}, log: &live.Log{}}
	err := s.explainError(&session.LostError{Players: tickback.SetOf(1, 2), Restarted: tickback.SetOf(1), Why: "no match can begin without them"})
	if want := "player 2 was started again, and has forgotten the match: start it again here, too"; err.Error() != want {
		t.Errorf("%v", err)
	}
}

// If two machines move, neither can know about the other: the possible causes of a silence are listed, and only in that
// case.
func TestASilenceOfTwoNamesWhatMayBeBehindIt(t *testing.T) {
	const hint = "if both machines changed their network at once"
	for _, c := range []struct {
		players int
		why     string
		want    bool
	}{
		{2, "silent for 5.007s", true},
		{3, "silent for 5.007s", false},
		{2, "it left: closed", false},
	} {
		s := &matchSetup{seat: seat{players: c.players}, log: &live.Log{}}
		err := s.explainError(&session.LostError{Players: tickback.SetOf(1), Why: c.why})
		if got := strings.Contains(err.Error(), hint); got != c.want {
			t.Errorf("%d players, %s: %v", c.players, c.why, err)
		}
		s.log.Lost, s.log.Why = tickback.SetOf(1), c.why
		err = s.verdict(overMatch{}, nil, &matchResult{ending: ending{limit: 9}})
		if got := strings.Contains(err.Error(), hint); got != c.want {
			t.Errorf("%d players, %s, at the end: %v", c.players, c.why, err)
		}
	}
}

// overMatch is a match that is over, without any other information.
type overMatch struct{ playing }

func (overMatch) result(*matchResult) {}
