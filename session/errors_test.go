package session

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/match"
)

// An error tells its reader who and why. The version for the other machines names no
// player by a number, since applications may count differently.
func TestWhatErrorsSay(t *testing.T) {
	late := 1500*time.Millisecond + 400*time.Microsecond
	for _, c := range []struct {
		err        error
		here, told string
	}{
		{ErrClosed, "the session is closed", "it has left"},
		{&MismatchError{Players: 0b10, Item: "build", Ours: `"1"`, Theirs: `"2"`}, `player 1 cannot join: the build differs: here "1", there "2": both sides need the same build of the game`, `the build differs: "1" and "2"`},
		{&MismatchError{Players: 0, Item: "build", Ours: `"1"`, Theirs: `"2"`}, `the build differs: here "1", there "2": both sides need the same build of the game`, `the build differs: "1" and "2"`},
		{&TimeoutError{0b10, "readiness", late}, "waited 1.5s for readiness of player 1", "waited 1.5s for readiness"},
		{&RefusedError{0b110, "too late"}, "players 1 and 2 refused the match: too late", "the match was refused: too late"},
		{&LostError{Players: 0b10, Restarted: 0b10, Why: whyRestarted}, "lost player 1: it was started again, and has forgotten the match", "somebody is gone: it was started again, and has forgotten the match"},
		{&LostError{Players: 0b10, Restarted: 0b10, Why: "it is late"}, "lost player 1, who was started again: it is late", "somebody is gone: it is late"},
		{&LostError{Players: 0b110, Restarted: 0b10, Why: "it is late"}, "lost players 1 and 2, of whom player 1 was started again: it is late", "somebody is gone: it is late"},
		{&LostError{Players: 0b10, Why: "it sleeps"}, "lost player 1: it sleeps", "somebody is gone: it sleeps"},
		{
			&LostError{Players: 0b10, Why: aloneAfter, Left: true},
			"player 1 left, and no match can begin without them", "somebody is gone: no match can begin without them",
		},
		{&QuorumError{Players: 0b110, After: late}, "waited 1.5s for players 1 and 2: without them we are no majority of the match", "too few are left to go on"},
		{&RemovedError{Frame: 7}, "the others have gone on without us (frame 7)", "the others have gone on without us (frame 7)"},
		{&RemovedError{Frame: 7, Kicked: true}, "we were kicked (frame 7)", "we were kicked (frame 7)"},
		{&RemovedError{Frame: 7, Kicked: true, Reason: "rude"}, "we were kicked: rude (frame 7)", "we were kicked: rude (frame 7)"},
		{&PlaceError{0b01, 0b10, 0b11}, "claim player 0 (players count from 0): have each play as players of its own", "two machines claim the same player"},
		{
			&PlaceError{0b001, 0b010, 0b100}, "at the address of player 1 is a machine that claims player 2 (players count from 0)",
			"the addresses are not in the order of the players",
		},
		{&JoinError{Why: "the match has ended"}, "the match cannot be joined: the match has ended", "the match cannot be joined: the match has ended"},
		{match.PhaseError("not now"), "not in this phase of the session: not now", "not in this phase of the session: not now"},
	} {
		if got := c.err.Error(); !strings.Contains(got, c.here) {
			t.Errorf("%T says %q, want %q", c.err, got, c.here)
		}
		if got := reasonOf(c.err); got != c.told {
			t.Errorf("of %T the others are told %q, want %q", c.err, got, c.told)
		}
	}
	var place *MismatchError
	if err := error(&PlaceError{0b001, 0b010, 0b100}); !errors.As(err, &place) || *place != (MismatchError{Players: 0b010, Item: itemPlace, Ours: "player 1", Theirs: "player 2"}) {
		t.Errorf("players in the wrong place are the mismatch %+v", place)
	}
}

// Values are named as in the source, and invalid values are recognizable.
func TestNamesOfValues(t *testing.T) {
	for want, v := range map[string]fmt.Stringer{
		"connecting": Connecting, "lobby": Lobby, "starting": Starting, "playing": Playing, "ending": Ending, "over": Over,
		"unverified": Unverified, "healthy": Healthy, "desynced": Desynced,
		"End": End, "Continue": Continue, "OnLeave(2)": Continue + 1,
		"connected": Connected, "closed": Closed, "nothing": What(0),
	} {
		if got := v.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, v := range []fmt.Stringer{Over + 1, Desynced + 1, Closed + 1, EntryResume + 1} {
		if got := v.String(); got != "unknown" {
			t.Errorf("%T: %q", v, got)
		}
	}
}

// Hooks that a session requires are checked when it is made; a failure of the game's setup
// is returned then, with the game's own error.
func TestASessionIsMadeOrRefused(t *testing.T) {
	sample := func(Player) uint16 { return 0 }
	orders := func(Player) []byte { return nil }
	missing := errors.New("the level is missing")
	fails := func(Parameters) (func(*sum), error) { return nil, missing }
	for _, c := range []struct {
		what  string
		cfg   Config
		hooks Hooks[sum, uint16]
		want  error
		text  string
	}{
		{"the least", Config{Players: 1}, Hooks[sum, uint16]{Sample: sample}, nil, ""},
		{"nothing sampled", Config{Players: 1}, Hooks[sum, uint16]{}, ErrConfig, "Hooks.Sample is required"},
		{"orders without room", Config{Players: 1}, Hooks[sum, uint16]{Sample: sample, Orders: orders}, ErrConfig, "Hooks.Orders is given, but MaxOrders is 0"},
		{"orders of a byte", Config{Players: 1, MaxOrders: 1}, Hooks[sum, uint16]{Sample: sample, Orders: orders}, nil, ""},
		{"room without orders", Config{Players: 1, MaxOrders: 1}, Hooks[sum, uint16]{Sample: sample}, nil, ""},
		{"no match to begin with", Config{Players: 1}, Hooks[sum, uint16]{Sample: sample, Start: fails}, missing, "level"},
		{"a lobby before it", Config{Players: 1, Lobby: true}, Hooks[sum, uint16]{Sample: sample, Start: fails}, nil, ""},
		{"too much for the engine", Config{Players: 1, MaxOrders: rollback.MaxOrderBytes + 1}, Hooks[sum, uint16]{Sample: sample}, nil, "MaxOrders"},
	} {
		s, err := New(sumGame(), c.cfg, c.hooks)
		if ok := c.want == nil && c.text == ""; ok != (err == nil) || ok != (s != nil) || c.want != nil && !errors.Is(err, c.want) ||
			err != nil && !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v", c.what, err)
		}
	}
	secret := rollback.Game[sum, struct{ p *int }]{Step: func(*sum, *rollback.Tick[struct{ p *int }]) {}}
	if s, err := New(secret, Config{Players: 1}, Hooks[sum, struct{ p *int }]{Sample: func(Player) (in struct{ p *int }) { return in }}); err == nil || s != nil {
		t.Errorf("inputs that cannot be sent: %v", err)
	}
}
