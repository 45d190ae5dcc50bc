package sequencer

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
)

func newSequencer(t testing.TB, cfg Config, players ...Player) *Sequencer {
	t.Helper()
	s, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range players {
		if !s.Join(p, 0) {
			t.Fatalf("player %d cannot join", p)
		}
	}
	return s
}

// closes closes the next tick, and fails unless the input of player 0 is this, and is replaced
// or not.
func closes(t *testing.T, s *Sequencer, input string, replaced bool) {
	t.Helper()
	f := s.Next()
	inputs, who := s.Close(f, time.Duration(f)*time.Second/time.Duration(s.cfg.Rate))
	if string(inputs[0]) != input || who.Has(0) != replaced {
		t.Fatalf("tick %d: the input is %q, replaced %v; want %q, %v", f, inputs[0], who, input, replaced)
	}
}

func adds(t *testing.T, s *Sequencer, f Frame, input string, want Verdict) {
	t.Helper()
	if got := s.Add(0, f, []byte(input), 0); got != want {
		t.Fatalf("an input for tick %d before tick %d: %v, want %v", f, s.Next(), got, want)
	}
}

// Rule: of all copies of an input the first one counts, in whatever order they arrive.
func TestTheFirstCopyCounts(t *testing.T) {
	s := newSequencer(t, Config{Width: 1, Rate: 20, Ahead: 3}, 0)
	adds(t, s, 2, "c", Taken)
	adds(t, s, 0, "a", Taken)
	adds(t, s, 0, "x", Repeated)
	adds(t, s, 1, "b", Taken)
	adds(t, s, 2, "y", Repeated)
	closes(t, s, "a", false)
	adds(t, s, 0, "z", Repeated)
	closes(t, s, "b", false)
	closes(t, s, "c", false)
	if s.Count(0, Taken) != 3 || s.Count(0, Repeated) != 3 || s.Replaced(0) != 0 {
		t.Error("the counters are wrong")
	}
}

// Rule: inputs may be ahead up to the bound, which is counted from the next tick to close.
func TestInputsAheadHaveABound(t *testing.T) {
	s := newSequencer(t, Config{Width: 1, Rate: 20, Ahead: 3}, 0)
	adds(t, s, 4, "x", Early)
	adds(t, s, rollback.NoFrame, "x", Early)
	adds(t, s, 3, "d", Taken)
	closes(t, s, "\x00", true)
	adds(t, s, 4, "e", Taken)
	adds(t, s, 5, "x", Early)
	closes(t, s, "\x00", true)
	closes(t, s, "\x00", true)
	closes(t, s, "d", false)
	closes(t, s, "e", false)
}

// Rule: for 250 ms after its tick the last input replaces missing ones; after that nothing does, or a
// stand-in, which sees zeros.
func TestWhatIsMissingIsReplaced(t *testing.T) {
	for rate, hold := range map[int]int{1: 1, 4: 1, 20: 5, 30: 8, 60: 15, 1000: 250} {
		for _, standIn := range []bool{false, true} {
			cfg, after := Config{Width: 2, Rate: rate, Ahead: 3}, "\x00\x00"
			if standIn {
				after = "\x00s"
				cfg.StandIn = func(p Player, f Frame, input []byte) {
					if p != 0 || string(input) != "\x00\x00" {
						t.Errorf("the stand-in of player %d in tick %d begins with %q", p, f, input)
					}
					input[1] = 's'
				}
			}
			s := newSequencer(t, cfg, 0)
			closes(t, s, after, true) // nothing is known
			adds(t, s, 1, "aa", Taken)
			closes(t, s, "aa", false)
			for range hold {
				closes(t, s, "aa", true)
			}
			closes(t, s, after, true)
			if s.Replaced(0) != uint64(hold)+2 {
				t.Errorf("%d are replaced", s.Replaced(0))
			}
		}
	}
}

// Rule: an input that has been repeated for long has no margin, and does not displace any other margin,
// whether it is taken or not.
func TestAnInputThatWasLostHasNoMargin(t *testing.T) {
	s := newSequencer(t, Config{Width: 1, Rate: 20, Ahead: 3}, 0)
	adds(t, s, 0, "a", Taken)
	for _, c := range []struct {
		tick  Frame
		input string
		want  Verdict
	}{{1, "b", Taken}, {0, "x", Repeated}, {4, "x", Early}, {2, "two", Misfit}} {
		if got := s.AddLost(0, c.tick, []byte(c.input), 0); got != c.want {
			t.Errorf("an input for tick %d that was lost: %v, want %v", c.tick, got, c.want)
		}
	}
	closes(t, s, "a", false)
	closes(t, s, "b", false)
	closes(t, s, "b", true)
	if got := s.AddLost(0, 2, []byte("c"), 0); got != Late {
		t.Errorf("one that is late: %v", got)
	}
	m, any := s.TakeMargin(0)
	if _, more := s.TakeMargin(0); !any || more || m.Tick != 0 {
		t.Errorf("margin of tick %d, %v, and more: %v", m.Tick, any, more)
	}
}

// Rule: an input that arrives late does not change its tick. It is the newest known one, so it replaces
// the next missing inputs; an older one does not.
func TestALateInputIsTheLastOne(t *testing.T) {
	s := newSequencer(t, Config{Width: 1, Rate: 20, Ahead: 3}, 0)
	adds(t, s, 0, "a", Taken)
	closes(t, s, "a", false)
	closes(t, s, "a", true)
	closes(t, s, "a", true)
	adds(t, s, 2, "c", Late)
	adds(t, s, 1, "b", Late)
	adds(t, s, 2, "x", Repeated)
	adds(t, s, 1, "x", Repeated)
	for range 5 {
		closes(t, s, "c", true) // 250 ms from tick 2 on
	}
	closes(t, s, "\x00", true)
	if s.Count(0, Late) != 2 || s.Carried(0) != 0 {
		t.Error("the counters are wrong")
	}
}

// Rule: whether a copy came before is known for 64 closed ticks.
func TestOldCopiesAreStale(t *testing.T) {
	s := newSequencer(t, Config{Width: 1, Rate: 20, Ahead: 3}, 0)
	adds(t, s, 0, "a", Taken)
	for range 64 {
		s.Close(s.Next(), 0)
	}
	adds(t, s, 0, "a", Repeated)
	adds(t, s, 1, "b", Late)
	s.Close(s.Next(), 0)
	adds(t, s, 0, "a", Stale)
	adds(t, s, 1, "b", Repeated)
	s.Close(s.Next(), 0)
	adds(t, s, 1, "b", Stale)
}

// carry takes capital letters for taps.
func carry(late, next []byte) {
	for i, c := range late {
		if c >= 'A' && c <= 'Z' {
			next[i] = c
		}
	}
}

// Rule: a late tap takes effect in the next tick, once: whether that tick's input arrives or is
// replaced, and even if there are several. The last input is what the player did, without the tap.
func TestALateTapIsCarried(t *testing.T) {
	s := newSequencer(t, Config{Width: 2, Rate: 20, Ahead: 3, Carry: carry}, 0)
	adds(t, s, 0, "aa", Taken)
	closes(t, s, "aa", false)
	for range 3 {
		closes(t, s, "aa", true)
	}
	adds(t, s, 3, "dD", Late)
	adds(t, s, 3, "dD", Repeated)
	adds(t, s, 2, "Cc", Late)
	adds(t, s, 4, "ee", Taken)
	closes(t, s, "CD", false)
	closes(t, s, "ee", true)
	adds(t, s, 5, "fF", Late)
	closes(t, s, "fF", true) // the last one, with its tap
	if s.Carried(0) != 3 {
		t.Errorf("%d are carried", s.Carried(0))
	}
}

// Rule: inputs that arrive more than 250 ms late are not carried.
func TestAnOldTapIsNotCarried(t *testing.T) {
	s := newSequencer(t, Config{Width: 1, Rate: 20, Ahead: 3, Carry: carry}, 0)
	for range 6 {
		closes(t, s, "\x00", true)
	}
	adds(t, s, 0, "A", Late)
	closes(t, s, "\x00", true)
	adds(t, s, 2, "C", Late)
	closes(t, s, "C", true)
	if s.Carried(0) != 1 {
		t.Errorf("%d are carried", s.Carried(0))
	}
}

// Rule: a player is in the match from the tick that Join names, or the next one, until Leave. Nothing of
// the previous player in that place is left.
func TestPlayersComeAndGo(t *testing.T) {
	s := newSequencer(t, Config{Width: 1, Rate: 20, Ahead: 3, Carry: carry})
	last := Player(rollback.MaxPlayers - 1)
	inputs, replaced := s.Close(0, 0)
	if len(inputs) != rollback.MaxPlayers || inputs[0] != nil || replaced != 0 {
		t.Fatalf("nobody is in, and the inputs are %q, replaced %v", inputs, replaced)
	}
	adds(t, s, 1, "a", Absent)
	if !s.Join(0, 3) || s.Join(0, 3) || !s.Join(last, 0) || s.Join(rollback.MaxPlayers, 0) {
		t.Fatal("the wrong ones join")
	}
	adds(t, s, 2, "a", Absent)
	adds(t, s, 3, "A", Taken)
	inputs, replaced = s.Close(1, 0)
	if inputs[0] != nil || replaced != rollback.SetOf(last) {
		t.Fatalf("the inputs are %q, replaced %v", inputs, replaced)
	}
	adds(t, s, 1, "A", Absent)
	if inputs, _ = s.Close(2, 0); inputs[0] != nil {
		t.Fatal("it is in too early")
	}
	closes(t, s, "A", false)
	closes(t, s, "A", true)
	adds(t, s, 4, "E", Late)
	adds(t, s, 6, "G", Taken)
	if !s.Leave(0) || s.Leave(0) || s.Leave(rollback.MaxPlayers) {
		t.Fatal("the wrong ones leave")
	}
	adds(t, s, 5, "x", Absent)
	if !s.Join(0, 0) || s.Count(0, Absent) != 0 || s.Count(0, Late) != 0 || s.Replaced(0) != 0 {
		t.Fatal("the one who comes has the counters of the one who left")
	}
	if _, any := s.TakeMargin(0); any {
		t.Fatal("it has margins of the one who left")
	}
	closes(t, s, "\x00", true)
	closes(t, s, "\x00", true)
	s.Begin(100, 0)
	adds(t, s, 100, "x", Absent)
	if s.Next() != 100 || !s.Join(0, 0) {
		t.Fatal("it does not begin anew")
	}
	adds(t, s, 99, "x", Absent)
	closes(t, s, "\x00", true)
}

// Rule: data that is not an input, or of no player, has no effect.
func TestWhatIsNoInputIsNamed(t *testing.T) {
	s := newSequencer(t, Config{Width: 2, Rate: 20, Ahead: 3}, 0)
	for _, b := range []string{"", "a", "aaa"} {
		adds(t, s, 0, b, Misfit)
	}
	if v := s.Add(rollback.MaxPlayers, 0, []byte("aa"), 0); v != Absent {
		t.Errorf("an input of no player is %v", v)
	}
	if v := s.Add(1, 0, []byte("aa"), 0); v != Absent || s.Count(1, Absent) != 1 || s.Count(0, Misfit) != 3 {
		t.Errorf("an input of an absent player is %v", v)
	}
	if s.Count(rollback.MaxPlayers, Taken)+s.Count(0, verdicts)+s.Replaced(rollback.MaxPlayers)+s.Carried(rollback.MaxPlayers) != 0 {
		t.Error("there are counters of nobody")
	}
	if _, any := s.TakeMargin(rollback.MaxPlayers); any {
		t.Error("there are margins of nobody")
	}
	closes(t, s, "\x00\x00", true)
}

// Rule: each input has one margin, that of its first copy: how much earlier it came than its tick is
// due, at the pace of the newest tick. If too many wait, those that came earliest are dropped.
func TestMarginsAreThoseOfFirstCopies(t *testing.T) {
	const second = time.Second
	s := newSequencer(t, Config{Width: 1, Rate: 10, Ahead: 30})
	s.Begin(5, second)
	s.Join(0, 0)
	wants := func(want ...Margin) {
		t.Helper()
		for _, m := range want {
			if got, any := s.TakeMargin(0); !any || got != m {
				t.Fatalf("the margin is %v, %v; want %v", got, any, m)
			}
		}
		if m, any := s.TakeMargin(0); any {
			t.Fatalf("there is one more: %v", m)
		}
	}
	wants()
	s.Add(0, 7, []byte("a"), second/2)
	s.Add(0, 7, []byte("a"), second)
	s.Add(0, 5, []byte("a"), second+5)
	s.Add(0, 500, []byte("a"), second)
	wants(Margin{7, 700 * ms}, Margin{5, -5})
	s.Close(5, second+20*ms) // the schedule has moved
	s.Close(6, second+120*ms)
	s.Add(0, 8, []byte("a"), 0)
	s.Add(0, 6, []byte("a"), 2*second)
	wants(Margin{8, second + 320*ms}, Margin{6, -880 * ms})
	for f := Frame(9); f < 9+maxMargins; f++ { // at once: the later a tick, the earlier is its input
		s.Add(0, f, []byte("a"), 0)
	}
	s.Add(0, 9+maxMargins, []byte("a"), 2*second)
	s.Add(0, 10+maxMargins, []byte("a"), 2*second)
	for f := Frame(9); f < 11+maxMargins; f++ {
		if f == 7+maxMargins || f == 8+maxMargins {
			continue
		}
		if m, any := s.TakeMargin(0); !any || m.Tick != f {
			t.Fatalf("the margin of tick %d comes as %v, %v", f, m, any)
		}
	}
	wants()
}

// Rule: of equally early margins, the oldest is dropped.
func TestOfMarginsThatAreAlikeTheOldestGivesWay(t *testing.T) {
	var q margins
	for f := Frame(1); f <= maxMargins+2; f++ {
		q.push(Margin{f, ms})
	}
	for f := Frame(3); f <= maxMargins+2; f++ {
		if m, any := q.pop(); !any || m.Tick != f {
			t.Errorf("the margin of tick %d comes as %v, %v", f, m, any)
		}
	}
}

// Closing a tick out of order is a mistake of the caller, and panics.
func TestTicksAreClosedInOrder(t *testing.T) {
	s := newSequencer(t, Config{Width: 1, Rate: 20, Ahead: 3})
	defer func() {
		if r := recover(); r == nil || !strings.Contains(r.(string), "tick 1 is closed, and 0 is the next") {
			t.Errorf("it says %v", r)
		}
	}()
	s.Close(1, 0)
}

// Limits of the configuration are named.
func TestConfigurationsHaveLimits(t *testing.T) {
	good := Config{Width: MaxWidth, Rate: MaxRate, Ahead: MaxAhead}
	newSequencer(t, good)
	for name, change := range map[string]func(c *Config){
		"Width is 0": func(c *Config) { c.Width = 0 }, "Width is 1025": func(c *Config) { c.Width = MaxWidth + 1 },
		"Rate is 0": func(c *Config) { c.Rate = 0 }, "Rate is 1001": func(c *Config) { c.Rate = MaxRate + 1 },
		"Ahead is 0": func(c *Config) { c.Ahead = 0 }, "Ahead is 4097": func(c *Config) { c.Ahead = MaxAhead + 1 },
	} {
		c := good
		change(&c)
		if s, err := New(c); s != nil || err == nil || !strings.Contains(err.Error(), name+", must be 1 to") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Verdicts have names.
func TestVerdictsHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for v := range Verdict(verdicts) {
		seen[v.String()] = true
	}
	if len(seen) != verdicts || seen[""] || Taken.String() != "taken" || Misfit.String() != "misfit" || Verdict(verdicts).String() != "no verdict" {
		t.Errorf("the names are %v", seen)
	}
}

// A tick allocates nothing, whatever comes.
func TestATickAllocatesNothing(t *testing.T) {
	s := newSequencer(t, Config{Width: 4, Rate: 20, Ahead: 8, Carry: func(late, next []byte) { next[0] |= late[0] }, StandIn: func(_ Player, _ Frame, b []byte) { b[0] = 1 }})
	input := []byte{1, 2, 3, 4}
	total := 0
	n := testing.AllocsPerRun(1000, func() {
		f := s.Next()
		p := Player(f % rollback.MaxPlayers)
		if !s.Join(p, f) {
			s.Leave(p)
		}
		for p := range Player(rollback.MaxPlayers) {
			s.Add(p, f+Frame(p)%4, input, 0)
			s.Add(p, f-3, input, 0)
		}
		inputs, _ := s.Close(f, 0)
		for _, in := range inputs {
			total += len(bytes.TrimRight(in, "\x00"))
		}
		s.TakeMargin(p)
	})
	if n != 0 || total == 0 {
		t.Errorf("%v allocations, %d bytes", n, total)
	}
}
