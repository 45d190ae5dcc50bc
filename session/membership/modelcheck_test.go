package membership

import (
	"flag"
	"slices"
	"strings"
	"testing"
)

var deep = flag.Int("membership.deep", 0, "explore the large models, too, each up to so many worlds")

func accuse(who int, s PlayerSet) event {
	return event{who: who, what: "accuses " + s.String(), do: func(c *Core) { c.Accuse(c.detector.silent | s) }}
}

func absolve(who int, s PlayerSet, after int) event {
	return event{who: who, what: "hears again " + s.String(), after: after, do: func(c *Core) { c.Accuse(c.detector.silent &^ s) }}
}

func crash(who int) event { return event{who: who, what: "crashes", crash: true} }

func ask(who int, w Wish) event {
	return event{who: who, what: "asks for " + w.Kind.String(), do: func(c *Core) { _ = c.Ask(w) }}
}

func (e event) behind(k int) event { e.after = k; return e }

func ready(who int) event {
	return event{who: who, what: "is ready for player 3", do: func(c *Core) { c.Ready(8, 7) }}
}

// sure returns two members that notice what has happened in event k.
func sure(k, a, b int, s PlayerSet) []event {
	return []event{accuse(a, s).behind(k), accuse(b, s).behind(k)}
}

func join(lists ...[]event) []event { return slices.Concat(lists...) }

var (
	uneven = [][]Frame{{11, 10, 12, 10}, {10, 11, 10, 10}, {10, 12, 11, 10}}
	kicker = Config{Kickers: 1}
	pause  = Wish{Kind: Pause}
	resume = Wish{Kind: Resume}
	leave  = Wish{Kind: Leave, Frame: 11}
)

// parting is four members, two of which no longer hear the other two.
var parting = scenario{name: "two halves", members: 4, sent: 11, next: uneven, parted: 0b0011, events: []event{
	accuse(0, 0b1100), accuse(1, 0b1100), accuse(2, 0b0011), accuse(3, 0b0011),
}}

// small are explored always, large with a flag.
var small = []scenario{
	{name: "the highest crashes", sent: 12, next: uneven, events: join([]event{crash(2)}, sure(1, 0, 1, 4))},
	{name: "the lowest crashes", sent: 12, next: uneven, events: join([]event{crash(0)}, sure(1, 1, 2, 1))},
	{name: "the lowest is not heard for a while", sent: 10, events: []event{accuse(2, 1), absolve(2, 1, 1)}},
	{name: "two do not hear each other", sent: 10, next: uneven, retries: 1, events: []event{accuse(2, 1), accuse(0, 4)}},
	{name: "one says goodbye and goes", sent: 11, events: []event{
		{who: 2, what: "goes", crash: true},
		{who: 0, what: "hears goodbye", after: 1, do: func(c *Core) { c.MarkGone(4) }},
		accuse(1, 4).behind(1),
	}},
	{name: "two ask for a pause", sent: 10, events: []event{ask(2, pause), ask(1, pause), ask(0, resume).behind(1)}},
	{name: "the lowest leaves", sent: 11, events: []event{ask(0, leave)}},
	{name: "one leaves, and crashes", sent: 11, events: join([]event{ask(2, leave), crash(2)}, sure(2, 0, 1, 4))},
	{name: "one is kicked", sent: 12, next: uneven, config: kicker, events: []event{ask(0, Wish{Kind: Kick, Players: 4})}},
	{name: "a newcomer", members: 2, joiner: true, sent: 10, run: 22, floor: []Frame{19, 21}, events: []event{ready(0), ready(1)}},
	{name: "a newcomer who is lost", members: 2, joiner: true, sent: 10, run: 21, floor: []Frame{19, 19}, events: []event{
		ready(0), ready(1), {who: 1, what: "has lost player 3", after: 2, do: func(c *Core) { c.Unready(8) }},
	}},
	parting,
	{name: "two of four crash", members: 4, sent: 10, events: join([]event{crash(2), crash(3)},
		[]event{accuse(0, 4).behind(1), accuse(1, 4).behind(1), accuse(0, 8).behind(2), accuse(1, 8).behind(2)})},
}

var large = []scenario{
	{name: "the lowest crashes while it is suspected", sent: 12, next: uneven, retries: 2, events: join(
		[]event{accuse(2, 1), absolve(2, 1, 1), crash(0)}, sure(3, 1, 2, 1))},
	{name: "all suspect each other", sent: 10, next: uneven, retries: 2, events: []event{
		accuse(0, 2), accuse(1, 4), accuse(2, 1), absolve(0, 2, 1), absolve(1, 4, 2),
	}},
	{name: "a kick, and the kicker crashes", sent: 11, next: uneven, config: kicker, retries: 1, events: join(
		[]event{ask(0, Wish{Kind: Kick, Players: 4}), crash(0)}, sure(2, 1, 2, 1))},
	{name: "two leave at the same time", sent: 11, events: []event{ask(0, leave), ask(1, leave)}},
	{name: "a newcomer, and the lowest crashes", members: 3, joiner: true, sent: 10, run: 21, floor: []Frame{20, 19, 19}, events: join(
		[]event{ready(0), ready(1), ready(2), crash(0)}, sure(4, 1, 2, 1))},
	{name: "half of four does not hear the other half", members: 4, sent: 10, next: uneven, retries: 1, events: []event{
		accuse(0, 0b1100), accuse(1, 0b1100), accuse(2, 0b0011), accuse(3, 0b0011),
	}},
	{name: "one of four crashes, with inputs on the way", members: 4, sent: 11, next: uneven, events: join(
		[]event{crash(0)}, sure(1, 1, 2, 1), []event{accuse(3, 1).behind(1)})},
}

// explored runs a scenario up to a number of worlds, and reports what was seen.
func explored(t *testing.T, sc scenario, limit int) (worlds int, found error) {
	if sc.members == 0 {
		sc.members = 3
	}
	x := newExplorer(&sc, limit)
	found = x.explore()
	all := ""
	if len(x.worlds) < limit && found == nil {
		all = ", all there are"
	}
	t.Logf("%s: %d worlds%s; %d final; %d states of a peer, %d messages", sc.name, len(x.worlds), all, x.quiet, len(x.locals), len(x.packets))
	return len(x.worlds), found
}

func TestNoOrderOfEventsBreaksTheLog(t *testing.T) {
	list, limit := small, 100_000
	if testing.Short() {
		limit = 5_000
	}
	if *deep > 0 {
		list, limit = slices.Concat(small, large), *deep
	}
	total := 0
	for _, sc := range list {
		t.Run(sc.name, func(t *testing.T) {
			n, err := explored(t, sc, limit)
			if err != nil {
				t.Error(err)
			}
			total += n
		})
	}
	t.Logf("%d worlds in all", total)
}

// The negative controls: a rule is broken, and the exploration finds what that leads to.
func TestBrokenRulesAreFound(t *testing.T) {
	dropped := scenario{sent: 11, next: uneven, events: join([]event{crash(2)}, sure(1, 0, 1, 4))}
	for _, c := range []struct {
		rule  string
		sc    scenario
		wrong func(l *local)
		want  string
	}{
		{"what is stopped stays so in a slot", scenario{sent: 11, events: []event{accuse(0, 4), accuse(1, 4), absolve(1, 4, 2)}}, func(l *local) {
			l.core.guard.stopped = l.core.Accused()
		}, "have not stopped"},
		{"nobody is dropped before all have reported", scenario{members: 4, next: [][]Frame{nil, nil, {10, 10, 10, 12}}, events: []event{crash(3), accuse(0, 8)}}, func(l *local) {
			c := l.core
			told := slices.Clone(c.claims.by)
			if c.low != 0 {
				return
			}
			for p := range c.claims.by {
				c.claims.by[p].stopped |= c.guard.stopped
				c.claims.by[p].held = c.claims.by[c.low].held
			}
			if l.poll(); c.log.state.Slot == 0 {
				c.claims.by = told
			}
		}, "has 12 of player 3 after"},
		{"no frame runs at the gate", scenario{members: 2, joiner: true, sent: 10, run: 24, events: []event{ready(0), ready(1)}}, func(l *local) {
			l.core.guard.gated = NoFrame
		}, "we agreed to"},
		{"all is told", dropped, func(l *local) {
			if l.core.low == 1 {
				l.core.box = outbox{sets: l.core.box.sets}
			}
		}, "are there"},
	} {
		sc := c.sc
		sc.name, sc.sabotage = c.rule, c.wrong
		_, err := explored(t, sc, 200_000)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("without the rule that %s: %v", c.rule, err)
		}
		t.Logf("without the rule that %s: %v", c.rule, err)
	}
}

// Without the rule for ties, each half of four decides for itself.
func TestHalvesWithoutTheRuleOfTiesAreFound(t *testing.T) {
	sc := parting
	sc.config.quorum = func(s *LogState, yes PlayerSet) bool {
		in := 0
		for _, m := range s.Members {
			if m != 0 && m&^yes == 0 {
				in++
			}
		}
		return 2*in >= s.Len()
	}
	sc.name, sc.sent, sc.next = "any half decides", 0, nil
	_, err := explored(t, sc, 400_000)
	if err == nil || !strings.Contains(err.Error(), "is both") {
		t.Fatal("not found: ", err)
	}
	t.Log(err)
}
