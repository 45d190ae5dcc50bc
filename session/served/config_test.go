package served

import (
	"errors"
	"math"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/bulk"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/datagram"
)

func one() uint64 { return 1 }

// Rule: the defaults are the documented ones.
func TestDefaults(t *testing.T) {
	text := strings.Repeat("x", 64)
	s := ServerConfig{Game: Game{ID: "x", Players: 1}, Random: one}
	if err := s.complete(); err != nil {
		t.Fatal(err)
	}
	if s.TickRate != 20 || s.States != 20 || s.HashEvery != 1 || s.DropAfter != 5*time.Second || s.Linger != 2*time.Second {
		t.Errorf("%+v", s)
	}
	if s.HashEvery = -5; s.complete() != nil || s.HashEvery != -1 {
		t.Errorf("without hashes: every %d", s.HashEvery)
	}
	if s.Machine = text + "y"; s.complete() != nil || s.Machine != text {
		t.Errorf("of what it runs on count %d bytes", len(s.Machine))
	}
	c := ClientConfig{Game: Game{ID: "x", Players: 1}, Server: netip.MustParseAddrPort("[::ffff:1.2.3.4]:5"), Random: one}
	if err := c.complete(); err != nil {
		t.Fatal(err)
	}
	if c.PerTick != 2 || c.MaxAhead != 20 || c.Behind != 100*time.Millisecond || c.ConnectTimeout != 15*time.Second || c.DropAfter != 5*time.Second ||
		c.MaxState != 16<<20 || c.ID != 1 || c.Server != netip.MustParseAddrPort("1.2.3.4:5") {
		t.Errorf("%+v", c)
	}
	for _, rate := range []int{20, 60, 240} { // as in every other kind of match
		s := ServerConfig{Game: Game{ID: "x", Players: 1, TickRate: rate}, Random: one}
		c := ClientConfig{Game: Game{ID: "x", Players: 1, TickRate: rate}, Server: c.Server, Random: one}
		if s.complete() != nil || c.complete() != nil || s.EffectTolerance != session.DefaultToleranceAt(rate) || c.EffectTolerance != s.EffectTolerance {
			t.Errorf("at %d ticks a second the tolerance of effects is %d, and %d", rate, s.EffectTolerance, c.EffectTolerance)
		}
	}
	slow := ClientConfig{Game: Game{ID: "x", Players: 1, TickRate: 2}, Server: c.Server, Random: one}
	if slow.complete() != nil || slow.MaxAhead != 8 {
		t.Errorf("at two ticks a second it runs %d ahead", slow.MaxAhead)
	}
}

// Rule: a client holds the states of Behind and 62 more, and at least as many as baselines may be old: 64.
func TestHowManyStatesAreHeld(t *testing.T) {
	for _, c := range []struct {
		rate   int
		behind time.Duration
		want   Frame
	}{{20, 100 * time.Millisecond, 64}, {20, 150 * time.Millisecond, 65}, {50, time.Second, 112}, {50, time.Second - 1, 112}, {50, 980 * time.Millisecond, 111}, {60, time.Second, 123}, {200, time.Second, 262}} {
		cfg := ClientConfig{Game: Game{TickRate: c.rate}, Behind: c.behind}
		if got := cfg.held(); got != c.want {
			t.Errorf("at %d ticks a second and %v behind, %d states are held, want %d", c.rate, c.behind, got, c.want)
		}
	}
}

// Rule: impossible settings are refused by name, and values on the limits work.
func TestConfigurations(t *testing.T) {
	text := strings.Repeat("x", datagram.MaxText)
	for _, c := range []struct {
		name   string // of the field; empty: it works
		server func(c *ServerConfig)
		client func(c *ClientConfig)
	}{
		{"ID", func(c *ServerConfig) { c.Game.ID = "" }, nil},
		{"ID", func(c *ServerConfig) { c.Game.ID += text }, nil},
		{"Build", func(c *ServerConfig) { c.Build = text + "x" }, nil},
		{"Platform", func(c *ServerConfig) { c.Platform = text + "x" }, nil},
		{"", func(c *ServerConfig) { c.Game.ID, c.Build, c.Platform = text, text, text }, nil},
		{"Players", func(c *ServerConfig) { c.Players = 0 }, nil},
		{"Players", func(c *ServerConfig) { c.Players = rollback.MaxPlayers + 1 }, nil},
		{"", func(c *ServerConfig) { c.Players = rollback.MaxPlayers }, nil},
		{"TickRate", func(c *ServerConfig) { c.TickRate = -1 }, nil},
		{"TickRate", func(c *ServerConfig) { c.TickRate = 1001 }, nil},
		{"", func(c *ServerConfig) { c.TickRate = 1000 }, nil},
		{"", func(c *ServerConfig) { c.TickRate, c.States = 1, 1 }, nil},
		{"MaxOrders", func(c *ServerConfig) { c.MaxOrders = -1 }, nil},
		{"MaxOrders", func(c *ServerConfig) { c.MaxOrders = rollback.MaxOrderBytes + 1 }, nil},
		{"", func(c *ServerConfig) { c.MaxOrders = rollback.MaxOrderBytes }, nil},
		{"Random", func(c *ServerConfig) { c.Random = nil }, nil},
		{"States", func(c *ServerConfig) { c.States = 21 }, nil},
		{"States", func(c *ServerConfig) { c.States = -1 }, nil},
		{"", func(c *ServerConfig) { c.States = 20 }, nil},
		{"DropAfter", func(c *ServerConfig) { c.DropAfter = time.Second - 1 }, nil},
		{"DropAfter", func(c *ServerConfig) { c.DropAfter = time.Minute + 1 }, nil},
		{"", func(c *ServerConfig) { c.DropAfter = time.Second }, nil},
		{"", func(c *ServerConfig) { c.TickRate, c.DropAfter = 1000, 30*time.Second }, nil},
		{"States is 3, must be 4 to the TickRate, 240", func(c *ServerConfig) { c.TickRate, c.States = 240, 3 }, nil},
		{"", func(c *ServerConfig) { c.TickRate, c.States = 240, 4 }, nil},
		{"States is 4, must be 5 to the TickRate, 241", func(c *ServerConfig) { c.TickRate, c.States = 241, 4 }, nil},
		{"", func(c *ServerConfig) { c.TickRate, c.States = 241, 5 }, nil},
		{"States is 16, must be 17 to the TickRate, 1000", func(c *ServerConfig) { c.TickRate, c.States = 1000, 16 }, nil},
		{"DropAfter is 30.000000001s, must be a second to 30s at a TickRate of 1000", func(c *ServerConfig) { c.TickRate, c.DropAfter = 1000, 30*time.Second+1 }, nil},
		{"", nil, func(c *ClientConfig) { c.DropAfter = 2 * time.Minute }},
		{"ConnectTimeout is 15s and DropAfter 2m0.000000001s", nil, func(c *ClientConfig) { c.DropAfter = 2*time.Minute + 1 }},
		{"ConnectTimeout is 15s and DropAfter 30.000000001s", nil, func(c *ClientConfig) { c.TickRate, c.DropAfter = 1000, 30*time.Second+1 }},
		{"", func(c *ServerConfig) { c.DropAfter, c.Linger = time.Minute, time.Minute }, nil},
		{"", func(c *ServerConfig) { c.HashEvery = session.MaxHashEvery }, nil},
		{"HashEvery is 32769, must be at most 32768", func(c *ServerConfig) { c.HashEvery = session.MaxHashEvery + 1 }, nil},
		{"HashEvery", func(c *ServerConfig) { c.HashEvery = math.MaxInt }, nil}, // numbers of frames have 32 bits
		{"Linger", func(c *ServerConfig) { c.Linger = -1 }, nil},
		{"Linger", func(c *ServerConfig) { c.Linger = time.Minute + 1 }, nil},
		{"PerAddress", func(c *ServerConfig) { c.PerAddress = Unlimited - 1 }, nil},
		{"PerAddress", func(c *ServerConfig) { c.PerAddress = 3 }, nil},
		{"", func(c *ServerConfig) { c.PerAddress = 2 }, nil},
		{"", func(c *ServerConfig) { c.PerAddress = Unlimited }, nil},
		{"Token", func(c *ServerConfig) { c.Token = make([]byte, 15) }, nil},
		{"", func(c *ServerConfig) { c.Token = make([]byte, 16) }, nil},
		{"Match.Frames", func(c *ServerConfig) { c.Match.Frames = rollback.NoFrame }, nil},
		{"Spectators.Delay", func(c *ServerConfig) { c.Partial, c.Spectators.Max = true, 1 }, nil},
		{"", func(c *ServerConfig) { c.Partial, c.Spectators = true, spectate.Config{Max: 1, Delay: 1} }, nil},
		{"", func(c *ServerConfig) { c.Partial, c.Spectators = true, spectate.Config{Max: 1, Live: true} }, nil},
		{"", func(c *ServerConfig) { c.Partial = true }, nil},
		{"Spectators.Token", func(c *ServerConfig) { c.Spectators = spectate.Config{Max: 1, Token: make([]byte, 15)} }, nil},
		{"Spectators.Token", func(c *ServerConfig) { c.Spectators.Token = make([]byte, 16) }, nil},
		{"Spectators.Open", func(c *ServerConfig) {
			c.Spectators = spectate.Config{Max: 1, Open: true, Token: make([]byte, 16)}
		}, nil},
		{"Spectators.Max", func(c *ServerConfig) { c.Spectators.Max = spectate.MaxSpectators + 1 }, nil},

		{"ID", nil, func(c *ClientConfig) { c.Game.ID = "" }},
		{"Server", nil, func(c *ClientConfig) { c.Server = netip.AddrPort{} }},
		{"Server", nil, func(c *ClientConfig) { c.Server = netip.MustParseAddrPort("1.2.3.4:0") }},
		{"Random", nil, func(c *ClientConfig) { c.Random = nil }},
		{"PerTick", nil, func(c *ClientConfig) { c.PerTick = -1 }},
		{"PerTick", nil, func(c *ClientConfig) { c.PerTick = 5 }},
		{"", nil, func(c *ClientConfig) { c.PerTick, c.MaxAhead = 1, 1 }},
		{"", nil, func(c *ClientConfig) { c.PerTick, c.MaxAhead = 4, rollback.MaxWindow }},
		{"MaxAhead", nil, func(c *ClientConfig) { c.MaxAhead = -1 }},
		{"MaxAhead", nil, func(c *ClientConfig) { c.MaxAhead = rollback.MaxWindow + 1 }},
		{"Behind", nil, func(c *ClientConfig) { c.Behind = -1 }},
		{"Behind", nil, func(c *ClientConfig) { c.Behind = time.Second + 1 }},
		{"", nil, func(c *ClientConfig) { c.Behind, c.DropAfter, c.ConnectTimeout = time.Second, time.Second, time.Second }},
		{"ConnectTimeout", nil, func(c *ClientConfig) { c.ConnectTimeout = time.Second - 1 }},
		{"ConnectTimeout", nil, func(c *ClientConfig) { c.DropAfter = time.Second - 1 }},
		{"MaxState", nil, func(c *ClientConfig) { c.MaxState = -1 }},
		{"MaxState", nil, func(c *ClientConfig) { c.MaxState = spectate.MaxState + 1 }},
		{"", nil, func(c *ClientConfig) { c.MaxState = spectate.MaxState }},
		{"", nil, func(c *ClientConfig) { c.MaxState = 1 }},
		{"Token", nil, func(c *ClientConfig) { c.Token = make([]byte, 65) }},
		{"", nil, func(c *ClientConfig) { c.Token = make([]byte, 64) }},
	} {
		var err error
		if c.server != nil {
			cfg := ServerConfig{Game: Game{ID: "x", Players: 2}, Random: one}
			c.server(&cfg)
			err = cfg.complete()
		} else {
			cfg := ClientConfig{Game: Game{ID: "x", Players: 2}, Server: serverAddr, Random: one}
			c.client(&cfg)
			err = cfg.complete()
		}
		var wrong *ConfigError
		if c.name == "" && err != nil || c.name != "" && (!errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), "served: "+c.name)) {
			t.Errorf("%q: %v", c.name, err)
		}
	}
	if _, err := NewClient(countGame(), ClientConfig{Game: Game{ID: "x", Players: 3}, Server: serverAddr, Random: one}, ClientHooks[count, uint16]{}); err == nil {
		t.Error("a client without Sample")
	}
	if _, err := NewClient(countGame(), ClientConfig{Game: Game{ID: "x", Players: 3}, Server: serverAddr, Random: one}, ClientHooks[count, uint16]{
		Sample: func(Player) uint16 { return 0 }, Orders: func(Player) []byte { return nil },
	}); err == nil {
		t.Error("a client with orders in a match without")
	}
	if _, err := NewServer(countGame(), ServerConfig{}, ServerHooks[count, uint16]{}); err == nil {
		t.Error("a server without a game")
	}
}

// Rule: a message of the wrong length is ErrShort, and one with forbidden values ErrRange: nothing else is read from
// either.
func TestWhatIsNoMessage(t *testing.T) {
	end := outcomeOf()
	for name, c := range map[string]struct {
		message []byte
		longer  error // for a byte more
		consume func(b []byte) error
	}{
		"place":   {appendPlace(nil, 3, 77), datagram.ErrShort, func(b []byte) error { _, _, err := consumePlace(b, 4); return err }},
		"state":   {appendState(nil, 9, 1000), datagram.ErrShort, func(b []byte) error { _, _, err := consumeState(b); return err }},
		"slipped": {appendSlipped(nil, 9), datagram.ErrShort, func(b []byte) error { _, err := consumeSlipped(b); return err }},
		"differs": {appendDiffers(nil, 9), datagram.ErrShort, func(b []byte) error { _, err := consumeDiffers(b); return err }},
		"truth": {appendTruth(nil, 9, 7, strings.Repeat("x", 64)), datagram.ErrRange, func(b []byte) error {
			if len(b) >= 8 && len(b) < 8+64 {
				return datagram.ErrShort // a name of fewer bytes is one, too
			}
			_, _, _, err := consumeTruth(b)
			return err
		}},
		"orders": {appendOrders(nil, 9, []byte("x")), datagram.ErrRange, func(b []byte) error { _, _, err := consumeOrders(b, 1); return err }},
	} {
		body := c.message[1:]
		if err := c.consume(body); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for n := range body {
			if err := c.consume(body[:n]); err != datagram.ErrShort {
				t.Errorf("%s: %d of %d bytes: %v", name, n, len(body), err)
			}
		}
		if err := c.consume(append(body, 0)); err != c.longer {
			t.Errorf("%s: a byte too much: %v", name, err)
		}
	}
	for b, want := range map[string]error{"": datagram.ErrShort, "\x02": datagram.ErrRange, "\x01": nil} {
		if _, err := consumeRefusal([]byte(b), nil); err != want {
			t.Errorf("a refusal of a token in the bytes %q: %v", b, err)
		}
	}
	for n := range 11 { // package stream decodes what follows
		if _, err := consumeEnd(appendEnd(nil, &end)[1 : 1+n]); err != datagram.ErrShort {
			t.Errorf("end: %d bytes: %v", n, err)
		}
	}
}

// Rule: the error of a refused configuration wraps the error of the game or of another package that caused it, if
// there is one.
func TestWhyAConfigurationIsRefused(t *testing.T) {
	why := errors.New("why")
	if err := refusef("it is refused: %w", why); !errors.Is(err, why) || err.Error() != "served: it is refused: why" {
		t.Errorf("%v", err)
	}
	if err := refusef("it is refused"); errors.Unwrap(err) != nil {
		t.Errorf("%v has an error of its own", err)
	}
}

// The lengths are those of docs/reference/sight.md.
func TestTheLengthsAreThoseOfThePage(t *testing.T) {
	for what, c := range map[string][2]int{
		"of a chunk": {bulk.Piece, 8192}, "of a farewell": {maxText, 256}, "of the name of a machine": {maxMachine, 64},
	} {
		if c[0] != c[1] {
			t.Errorf("the most bytes %s are %d, want %d", what, c[0], c[1])
		}
	}
}

// Rule: messages are decoded as they were encoded, and only if they are complete.
func TestMessagesComeBack(t *testing.T) {
	if p, f, err := consumePlace(appendPlace(nil, 3, 77)[1:], 4); p != 3 || f != 77 || err != nil {
		t.Error(p, f, err)
	}
	if _, _, err := consumePlace(appendPlace(nil, 4, 77)[1:], 4); err != datagram.ErrRange {
		t.Error("a place that there is not:", err)
	}
	if f, n, err := consumeState(appendState(nil, 9, 1000)[1:]); f != 9 || n != 1000 || err != nil {
		t.Error(f, n, err)
	}
	if f, o, err := consumeOrders(appendOrders(nil, 5, []byte("go"))[1:], 2); f != 5 || string(o) != "go" || err != nil {
		t.Error(f, o, err)
	}
	if _, _, err := consumeOrders(appendOrders(nil, 5, []byte("gone"))[1:], 2); err != datagram.ErrRange {
		t.Error("orders that are too long:", err)
	}
	o := outcomeOf()
	b := appendEnd(nil, &o)
	got, err := consumeEnd(b[1:])
	if err != nil || got != o {
		t.Errorf("%+v, %v, want %+v", got, err, o)
	}
	for n := range b[1:] {
		if _, err := consumeEnd(b[1 : 1+n]); err == nil {
			t.Errorf("%d bytes of an end", n)
		}
	}
	b[9] = 2
	if _, err := consumeEnd(b[1:]); err != datagram.ErrRange {
		t.Error("more than finished:", err)
	}
	for n, m := range [][]byte{appendPlace(nil, 3, 77), appendState(nil, 9, 1000)} {
		for cut := range len(m) - 1 {
			_, _, err := consumePlace(m[1:1+cut], 4)
			if n == 1 {
				_, _, err = consumeState(m[1 : 1+cut])
			}
			if err != datagram.ErrShort {
				t.Errorf("%d bytes of message %d: %v", cut, n, err)
			}
		}
	}
	if _, _, err := consumeOrders(make([]byte, 4), 9); err != datagram.ErrShort {
		t.Error("no orders:", err)
	}
	if n := len(text(make([]byte, 1000))); n != maxText {
		t.Errorf("a text of %d bytes", n)
	}
}

// Rule: a whole state is received in chunks, to its last byte and no further.
func TestAWholeState(t *testing.T) {
	var w whole
	for size, want := range map[int]bool{0: false, 1: true, 10: true, 11: false, math.MaxInt32: false} {
		if err := w.begin(appendState(nil, 5, size)[1:], 10); (err == nil) != want {
			t.Errorf("%d bytes of 10: %v", size, err)
		}
	}
	if err := w.begin(appendState(nil, 5, 5)[1:], 10); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		chunk string
		err   error
		here  bool
	}{{"", datagram.ErrRange, false}, {"abcdef", datagram.ErrRange, false}, {"ab", nil, false}, {"cdef", datagram.ErrRange, false}, {"cde", nil, true}, {"f", datagram.ErrRange, true}} {
		if err := w.add([]byte(c.chunk)); err != c.err || w.here != c.here {
			t.Errorf("%q: %v, complete %v", c.chunk, err, w.here)
		}
	}
	if string(w.Bytes()) != "abcde" || w.number != 5 {
		t.Errorf("%q of state %d", w.Bytes(), w.number)
	}
}

// Rule: at any tick rate, a client can be made without any settings of its own; and it can run as far ahead as its
// settings allow.
func TestAClientIsMadeAtAnyTickRate(t *testing.T) {
	for _, rate := range []int{1, 8, 20, 60, 119, 120, 121, 144, 240, 241, session.MaxTickRate} {
		for _, ahead := range []int{0, 1, rollback.MaxWindow} {
			c, err := NewClient(countGame(), ClientConfig{Game: Game{ID: "x", Players: 3, TickRate: rate}, MaxAhead: ahead, Server: serverAddr, Random: one}, ClientHooks[count, uint16]{
				Sample: func(Player) uint16 { return 0 },
			})
			if err != nil {
				t.Errorf("%d ticks a second, %d ahead: %v", rate, ahead, err)
			} else if got := c.cfg.MaxAhead; ahead == 0 && got != min(max(rate, 8), 120) {
				t.Errorf("%d ticks a second: by default %d ahead", rate, got)
			}
		}
	}
}

// Rule: a server identifies itself by a number of its own, one for full sight and one for partial sight: see
// docs/reference/sight.md.
func TestAServerSaysWhatItIs(t *testing.T) {
	for partial, want := range map[bool]datagram.Rule{false: 0x80, true: 0x81} {
		g := Game{ID: "x", Build: "y", Platform: "z", Players: 3, TickRate: 60, MaxOrders: 700, Partial: partial}
		items := datagram.Items{Game: "x", Build: "y", Platform: "z", Players: 3, InputSize: 5, TickRate: 60, MaxOrders: 700, Rule: want, State: 9}
		if got := g.items(5, 9); got != items {
			t.Errorf("%+v, want %+v", got, items)
		}
	}
}
