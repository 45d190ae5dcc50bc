package membership

import (
	"testing"
	"time"
)

// A member has something to decide as soon as any member wants something, is silent or
// has joined, until the decision has been read.
func TestWhatKeepsAMemberBusy(t *testing.T) {
	for name, does := range map[string]func(c *Core){
		"a silent member":       func(c *Core) { c.Accuse(4) },
		"one that has departed": func(c *Core) { c.MarkGone(4) },
		"a newcomer":            func(c *Core) { c.Ready(1<<7, 9) },
		"a wish":                func(c *Core) { _ = c.Ask(Wish{Kind: Pause}) },
		"an entry to be read":   func(c *Core) { _ = c.learn(pauseBy(1)) },
	} {
		for _, lazy := range []bool{false, true} {
			c := newLocals(Config{Lazy: lazy}, 1, 2, 4)[0].core
			if !c.Quiet() {
				t.Fatalf("lazy %v: busy with nothing", lazy)
			}
			if does(c); c.Quiet() {
				t.Errorf("%s, lazy %v: there is nothing to decide, it says", name, lazy)
			}
		}
	}
}

// A member that is not lazy says once in each slot that it is there, and until then it is
// busy. A lazy one is silent until somebody wants something.
func TestOnlyLazyMembersBeginWithSilence(t *testing.T) {
	for _, lazy := range []bool{false, true} {
		l := &local{up: true}
		l.core = New(1, Begin([]PlayerSet{1, 2, 4}, 0), l, Config{Lazy: lazy})
		if l.core.Quiet() != lazy {
			t.Errorf("lazy %v: quiet %v at the beginning", lazy, !lazy)
		}
		l.poll()
		if sent := l.drain(); (len(sent) == 0) != lazy || !l.core.Quiet() {
			t.Errorf("lazy %v: has sent %d messages", lazy, len(sent))
		}
	}
}

// A lazy member that gets any message sends its own claim.
func TestWhatWakesALazyMember(t *testing.T) {
	for _, m := range []message{
		{what: tellClaim, claim: claim{accused: 4}},
		{what: tellPrepare, ballot: newBallot(1, 0)},
		{what: tellClaim},
	} {
		l := newLocals(Config{Lazy: true}, 1, 2, 4)[1]
		if err := l.core.Receive(1, m.append(nil, ofAll)); err != nil {
			t.Fatal(err)
		}
		told := 0
		for _, s := range l.drain() {
			if s.packet[0] == tellClaim {
				told++
			}
		}
		if wakes := m.what != tellClaim || m.claim != (claim{}); (told == 2) != wakes || l.core.Quiet() == wakes {
			t.Errorf("%+v: it has told %d of two others", m, told)
		}
	}
}

// A silent machine that is no longer a member keeps nobody busy.
func TestTheDroppedKeepNobodyBusy(t *testing.T) {
	c := newLocals(Config{Lazy: true}, 1, 2, 4)[0].core
	c.Accuse(4)
	c.guard.stopped = 4
	if err := c.learn(Entry{Kind: Drop, Players: 4, Cuts: [maxPlayers]Frame{2: 10}}); err != nil {
		t.Fatal(err)
	}
	if c.Next(); !c.Quiet() {
		t.Error("it is busy with nobody")
	}
}

// The defaults are 100 ms for an attempt that was refused, and 2 s of grace.
func TestDefaults(t *testing.T) {
	for _, d := range []time.Duration{0, time.Nanosecond} {
		c := newLocals(Config{retry: d, grace: d}, 1)[0].core
		want := Config{retry: 100 * time.Millisecond, grace: 2 * time.Second}
		if d > 0 {
			want = Config{retry: d, grace: d}
		}
		if c.cfg.retry != want.retry || c.cfg.grace != want.grace {
			t.Errorf("%v: %v and %v", d, c.cfg.retry, c.cfg.grace)
		}
	}
}

// A member that expects a lower one to coordinate gives it the time of two attempts, says
// when that is over, and then begins itself.
func TestAMemberLeavesALowerOneTheFirstAttempt(t *testing.T) {
	const retry = 50 * time.Millisecond
	n := newLocals(Config{retry: retry}, 1, 2, 4)
	c := n[2].core
	c.Accuse(2) // which member 1 hears still
	if due := c.Poll(time.Second, modelAt); due != time.Second+2*retry {
		t.Errorf("it wants to be called at %v", due)
	}
	if c.Poll(time.Second+2*retry-1, modelAt); c.synod.attempt.ballot != 0 {
		t.Error("it gets in the way of the lower one")
	}
	if c.Poll(time.Second+2*retry, modelAt); c.synod.attempt.ballot == 0 {
		t.Error("it waits for ever")
	}
	first := newLocals(Config{retry: retry}, 1, 2, 4)[0].core
	first.Accuse(2)
	if first.Poll(time.Second, modelAt); first.synod.attempt.ballot == 0 {
		t.Error("the lowest one waits for nobody")
	}
}

// The first attempt that is refused waits for the time of one attempt.
func TestTheFirstRefusalCostsOneWait(t *testing.T) {
	c := newTrio()[0].core
	for try, want := range []time.Duration{100, 200, 400} {
		c.synod.prepare(c.me, Never)
		c.synod.refused(c.synod.attempt.ballot, newBallot(50, 1), c.now)
		if got := c.synod.attempt.retryAt; got != want*time.Millisecond {
			t.Errorf("attempt %d waits for %v", try, got)
		}
	}
}
