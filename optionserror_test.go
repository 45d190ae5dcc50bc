package tickback

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net/netip"
	"regexp"
	"strings"
	"testing"

	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/sight"
	"github.com/tickback/tickback/transport/memory"
)

// Rule: names of fields in our texts are those of the options, and those of the game stay unchanged, for each function
// and however many errors are wrapped around.
func TestTheWordsOfTheGameStay(t *testing.T) {
	words := errors.New("ID and History of the team, invalid session.Config: DropAfter, Linger and Hooks.Sample are Random")
	inner := fmt.Errorf("MaxState of %w", words)
	game := rollback.Game[int32, uint8]{Step: func(*int32, *rollback.Tick[uint8]) {}, Players: func(int) error { return inner }}
	sample := func(Player) uint8 { return 0 }
	one := func() Transport { return memory.New().Open() }
	for name, open := range map[string]func() error{
		"Local": func() error { _, err := Local(game, Options[int32, uint8]{Players: 2, Sample: sample}); return err },
		"Serve": func() error {
			_, err := Serve(game, ServerOptions[int32, uint8]{Players: 2, Transport: one()})
			return err
		},
		"Connect": func() error {
			_, err := Connect(game, ClientOptions[int32, uint8]{Players: 2, Transport: one(), Sample: sample, Server: netip.MustParseAddrPort("127.0.0.1:7")})
			return err
		},
	} {
		if err := open(); err == nil || !strings.HasSuffix(err.Error(), inner.Error()) || !errors.Is(err, words) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, c := range []struct{ err, want string }{
		{fmt.Sprint(inOptions("Options", fmt.Errorf("%w: ID is needed for %w", session.ErrConfig, inner))), "GameID is needed for " + inner.Error()},
		{fmt.Sprint(inOptions("Options", fmt.Errorf("%w: %w", session.ErrConfig, fmt.Errorf("%w: History is 3: %w, and Snapshots too", rollback.ErrConfig, words)))), "Advanced.History is 3: " + words.Error() + ", and Advanced.Snapshots too"},
		{fmt.Sprint(inOptions("Options", fmt.Errorf("%w: DropAfter is 0", session.ErrConfig))), "Timeouts.Drop is 0"},
	} {
		if want := "invalid tickback.Options: " + c.want; c.err != want {
			t.Errorf("%s, want %s", c.err, want)
		}
	}
	if err := inOptions("Options", inner); err != inner {
		t.Errorf("an error that is about no configuration: %v", err)
	}
}

// secretive is a state whose fields have the names of option fields.
type secretive struct {
	Random rng.Xorshift128Plus
	ID     uint64
}

// Rule: the fields of a game's state keep their names, even if an error about the options quotes them.
func TestTheFieldsOfTheStateKeepTheirNames(t *testing.T) {
	game := rollback.Game[secretive, uint8]{Step: func(s *secretive, _ *rollback.Tick[uint8]) { s.ID = s.Random.Next() }}
	start := func(p Parameters) (func(*secretive), error) {
		return func(s *secretive) { s.Random = rng.New(p.Seed); s.ID = s.Random.Next() }, nil
	}
	sees := func(blank func(s *secretive)) func(*secretive, Player) PlayerSet {
		return func(s *secretive, _ Player) PlayerSet { blank(s); return 0 }
	}
	for _, c := range []struct {
		want  string
		start func(Parameters) (func(*secretive), error)
		sight func(*secretive, Player) PlayerSet
	}{
		{`with the generator "Random"`, nil, sees(func(s *secretive) { *s = secretive{} })},
		{`player 0 is told "ID"`, start, sees(func(s *secretive) { *s = secretive{ID: s.Random.Next()} })},
	} {
		_, err := Serve(game, ServerOptions[secretive, uint8]{Players: 2, Transport: memory.New().Open(), Start: c.start, Sight: c.sight})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
		if told := (*sight.GeneratorError)(nil); c.start != nil && !errors.As(err, &told) {
			t.Errorf("%v is no GeneratorError", err)
		}
	}
	for text, want := range map[string]string{
		`ID "ID" ID`: `GameID "ID" GameID`, `"a \"ID\" b" ID`: `"a \"ID\" b" GameID`, `"ID`: `"GameID`, `ID"`: `GameID"`, `"" ID`: `"" GameID`, `"\`: `"\`,
	} {
		if got := renamed(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// The fields found in a text are those that a regular expression would find.
func TestFieldsInErrorsAreRenamed(t *testing.T) {
	field := regexp.MustCompile(`\b[A-Z]\w*(\.[A-Z]\w*)*`)
	for _, text := range []string{
		"", "ID", "ID.", "ID.x", "ID.ID", "xID", "x.ID", "x ID y", "_ID", "0ID", "ID0", "ID_", "éID", "IDé",
		"Join.Hosts", "Join.MaxState: 3", "Join. MaxState", "MaxState.Join", "DropAfter, WarnAfter.", "Hooks.Sample.",
		"HashEvery 1..2 Random", ".Random", "Random.9 Linger..", "Hooks..Sample", "\xffID\xff",
	} {
		want := field.ReplaceAllStringFunc(text, func(name string) string {
			if ours, ok := optionNames[name]; ok {
				return ours
			}
			return name
		})
		if got := renamed(text); got != want {
			t.Errorf("%q: %q instead of %q", text, got, want)
		}
	}
}

// Rule: an interval of hashes that is too long is refused with its own name and value, by each function.
func TestAnIntervalOfHashesThatIsTooLong(t *testing.T) {
	const every = math.MaxInt
	game := rollback.Game[int32, uint8]{Step: func(*int32, *rollback.Tick[uint8]) {}}
	sample := func(Player) uint8 { return 0 }
	for name, c := range map[string]struct {
		want string
		open func() error
	}{
		"Local": {fmt.Sprintf("invalid tickback.Options: Advanced.HashEvery is %d, must be at most 32768", every), func() error {
			_, err := Local(game, Options[int32, uint8]{Players: 2, Sample: sample, Advanced: Advanced{HashEvery: every}})
			return err
		}},
		"Serve": {fmt.Sprintf("invalid tickback.ServerOptions: Advanced.HashEvery is %d, must be at most 32768", every), func() error {
			_, err := Serve(game, ServerOptions[int32, uint8]{Players: 2, Transport: memory.New().Open(), Advanced: Advanced{HashEvery: every}})
			return err
		}},
		"Record": {fmt.Sprintf("invalid tickback.Options: Recording: HashEvery is %d, must be 0 to", every), func() error {
			if every == math.MaxInt32 {
				return errors.New("invalid tickback.Options: Recording: HashEvery is 2147483647, must be 0 to") // it is allowed there
			}
			_, err := Local(game, Options[int32, uint8]{Players: 2, Sample: sample, Record: io.Discard, Recording: RecordOptions{HashEvery: every}})
			return err
		}},
	} {
		if err := c.open(); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}
