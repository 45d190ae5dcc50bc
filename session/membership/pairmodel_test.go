package membership

import (
	"slices"
	"strings"
	"testing"
)

func kick(who PlayerSet) Wish { return Wish{Kind: Kick, Players: who} }

func readyFor(who int, players PlayerSet, id uint64) event {
	return event{who: who, what: "is ready for " + players.String(), do: func(c *Core) { c.Ready(players, id) }}
}

func comeBack(who int) event { return event{who: who, what: "comes back", anew: true} }

var (
	oneMore = [][]Frame{{10, 12, 10, 10}, {11, 10, 10, 10}}
	late    = [][]Frame{{18, 20, 10, 10}, {19, 18, 10, 10}}
	both    = Config{Kickers: 3}
)

// ends are all ways in which one of two may disappear: it dies, and the other one
// notices; or one of them, or both, only believe so.
var ends = []struct {
	name   string
	events []event
}{
	{"the lower dies", []event{crash(0), accuse(1, 1)}},
	{"the higher dies", []event{crash(1), accuse(0, 2)}},
	{"they do not hear each other for a while", []event{accuse(0, 2), absolve(0, 2, 1), accuse(1, 1), absolve(1, 1, 3)}},
	{"they do not hear each other, and one dies", []event{accuse(0, 2), accuse(1, 1), crash(0)}},
}

// matters are what may be decided meanwhile.
var matters = []struct {
	name   string
	config Config
	events []event
}{
	{name: "nothing else"},
	{"the lower pauses", Config{}, []event{ask(0, pause)}},
	{"the higher pauses", Config{}, []event{ask(1, pause)}},
	{"one pauses, the other resumes", Config{}, []event{ask(0, pause), ask(1, resume).behind(1)}},
	{"both pause", Config{}, []event{ask(0, pause), ask(1, pause)}},
	{"the lower leaves", Config{}, []event{ask(0, leave)}},
	{"the higher leaves", Config{}, []event{ask(1, leave)}},
	{"both leave", Config{}, []event{ask(0, leave), ask(1, leave)}},
	{"one pauses, and the other leaves", Config{}, []event{ask(0, pause), ask(1, leave)}},
	{"the lower kicks", kicker, []event{ask(0, kick(2))}},
	{"the lower kicks, and leaves", kicker, []event{ask(0, kick(2)), ask(0, leave)}},
	{"the lower kicks, and the higher pauses", kicker, []event{ask(0, kick(2)), ask(1, pause)}},
	{"the higher kicks", both, []event{ask(1, kick(1))}},
	{"both kick, and one pauses", both, []event{ask(0, kick(2)), ask(1, kick(1)), ask(1, pause)}},
}

// shifted moves the events of a list behind those of another one.
func shifted(list []event, by int) []event {
	list = slices.Clone(list)
	for i := range list {
		if list[i].after != 0 {
			list[i].after += by
		}
	}
	return list
}

func pairScenario(matter, end int) scenario {
	m, e := &matters[matter], &ends[end]
	return scenario{
		name: m.name + "; " + e.name, members: 2, sent: 12, next: oneMore, config: m.config, retries: 1,
		events: slices.Concat(m.events, shifted(e.events, len(m.events))),
	}
}

// arrivals are newcomers that join one or two members, any of which may then die.
var arrivals = []scenario{
	{name: "a newcomer to two, and the lower dies", members: 2, joiner: true, sent: 10, run: 20, floor: []Frame{19, 19}, events: []event{
		ready(0), ready(1).behind(1), crash(0), accuse(1, 1).behind(3), accuse(2, 1).behind(4),
	}},
	{name: "a newcomer to two, and the higher dies", members: 2, joiner: true, sent: 10, run: 20, floor: []Frame{19, 19}, events: []event{
		ready(0), ready(1).behind(1), crash(1), accuse(0, 2).behind(3), accuse(2, 2).behind(4),
	}},
	{name: "a newcomer to two, who part", members: 2, joiner: true, sent: 10, floor: []Frame{19, 19}, events: []event{
		ready(0), ready(1).behind(1), accuse(0, 2).behind(2), accuse(1, 1).behind(3),
	}},
	rejoin,
	{name: "one of two comes back, and does not hear the other for a while", members: 2, sent: 21, next: late, floor: []Frame{18, 18}, run: 20, events: []event{
		crash(1), accuse(0, 2).behind(1), comeBack(1).behind(2), absolve(0, 2, 3), readyFor(0, 2, 9).behind(4), accuse(1, 1).behind(3), absolve(1, 1, 6),
	}},
	{name: "one of two comes back, and pauses, and the other dies", members: 2, sent: 21, next: late, floor: []Frame{18, 18}, run: 20, events: []event{
		crash(1), accuse(0, 2).behind(1), comeBack(1).behind(2), absolve(0, 2, 3), readyFor(0, 2, 9).behind(4), ask(1, pause).behind(5), crash(0).behind(5), accuse(1, 1).behind(7),
	}},
}

// rejoin is one of two that comes back, while the other one dies.
var rejoin = scenario{name: "one of two comes back, and the other dies", members: 2, sent: 21, next: late, floor: []Frame{18, 18}, run: 20, events: []event{
	crash(1), accuse(0, 2).behind(1), comeBack(1).behind(2), absolve(0, 2, 3), readyFor(0, 2, 9).behind(4), crash(0).behind(5), accuse(1, 1).behind(3),
}}

// With two members, whichever pauses, kicks, leaves, dies or comes back, and whatever is
// in flight then: the log of one is a prefix of the other's, unless each gives the other
// up. Explores all worlds, but only the nearest of those with a newcomer, unless
// -membership.deep says otherwise.
func TestNoOrderOfEventsBreaksTheLogOfTwo(t *testing.T) {
	const all = 30_000_000
	some := max(100_000, *deep) // for those with a newcomer, which are large
	if testing.Short() {
		some = 5_000
	}
	list := slices.Clone(arrivals)
	for m := range matters {
		for e := range ends {
			list = append(list, pairScenario(m, e))
		}
	}
	worlds := 0
	for _, sc := range list {
		t.Run(sc.name, func(t *testing.T) {
			limit := all
			if sc.joiner || testing.Short() {
				limit = some
			}
			n, err := explored(t, sc, limit)
			if err != nil {
				t.Error(err)
			}
			if n >= limit && limit == all {
				t.Error("these are not all worlds")
			}
			worlds += n
		})
	}
	t.Logf("%d worlds in all, of %d scenarios", worlds, len(list))
}

// The negative controls: a rule of two is broken, and the exploration finds it.
func TestBrokenRulesOfTwoAreFound(t *testing.T) {
	lowest := Config{quorum: func(s *LogState, yes PlayerSet) bool {
		n, in, first := 0, 0, false
		for _, m := range s.Members {
			if m != 0 {
				if m&^yes == 0 {
					in++
					first = first || n == 0
				}
				n++
			}
		}
		return 2*in > n || 2*in == n && first
	}}
	for _, c := range []struct {
		rule  string
		sc    scenario
		wrong func(l *local)
		want  string
	}{
		{"both vote", scenario{config: lowest, events: []event{ask(0, pause), crash(0), accuse(1, 1)}}, nil, "is both"},
		{"what was voted for comes before a removal", scenario{events: []event{ask(0, pause), crash(0), accuse(1, 1)}}, func(l *local) {
			l.core.synod.accepted = vote{}
		}, "is both"},
		{"one that has just come does not go on alone", rejoin, func(l *local) {
			if c := l.core; c.role == voting && c.log.state.Len() == 2 && c.detector.silent != 0 && !c.guard.arrived(&c.log.state, c.me) {
				e := Entry{Kind: Drop, Players: c.detector.silent}
				for p := range c.detector.silent.All() {
					c.guard.stopped |= 1 << p
					e.Cuts[p] = c.guard.held(&c.log.state, p)
				}
				_ = c.learn(e)
			}
		}, "nobody is there"},
	} {
		sc := c.sc
		if sc.name, sc.sabotage = c.rule, c.wrong; sc.members == 0 {
			sc.members, sc.sent, sc.next = 2, 12, oneMore
		}
		_, err := explored(t, sc, 400_000)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("without the rule that %s: %v", c.rule, err)
		}
		t.Logf("without the rule that %s: %v", c.rule, err)
	}
}
