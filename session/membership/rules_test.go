package membership

import (
	"errors"
	"testing"
	"time"
)

// Messages that no member sends are refused: each value has its range.
func TestMessagesWithImpossibleValues(t *testing.T) {
	good := newcomer{1 << 7, 9}
	for name, c := range map[string]struct{ good, bad claim }{
		"a frame that is held": {claim{stopped: 1}, claim{stopped: 1, held: [maxPlayers]Frame{NoFrame}}},
		"a frame to leave at":  {claim{wishes: wishes{leaving: true, leave: NoFrame - 1}}, claim{wishes: wishes{leaving: true, leave: NoFrame}}},
		"a frame of a gate":    {claim{gate: gate{good, NoFrame - 1}}, claim{gate: gate{good, NoFrame}}},
		"who is waited for":    {claim{gate: gate{good, 5}}, claim{gate: gate{newcomer{0, 9}, 5}}},
		"which attempt":        {claim{gate: gate{good, 5}}, claim{gate: gate{newcomer{1 << 7, 0}, 5}}},
		"who is ready":         {claim{ready: [maxPlayers]newcomer{7: good}}, claim{ready: [maxPlayers]newcomer{6: good}}},
		"which one is":         {claim{ready: [maxPlayers]newcomer{7: good}}, claim{ready: [maxPlayers]newcomer{7: {1 << 7, 0}}}},
		"whom to drop":         {claim{intent: intent{kind: Drop, players: 1}}, claim{intent: intent{kind: Drop}}},
		"whom to kick":         {claim{intent: intent{kind: Kick, players: 1}}, claim{intent: intent{kind: Kick}}},
		"what to do":           {claim{}, claim{intent: intent{kind: Pause, players: 1}}},
		"who is to join":       {claim{intent: intent{Join, 1 << 7, gate{good, 5}}}, claim{intent: intent{Join, 1 << 7, gate{newcomer{1 << 7, 0}, 5}}}},
	} {
		m := message{what: tellClaim, claim: c.good}
		if got, err := parse(m.append(nil, ofAll), ofAll); err != nil || got != m {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		m.claim = c.bad
		if _, err := parse(m.append(nil, ofAll), ofAll); !errors.Is(err, errMalformed) {
			t.Errorf("%s: what cannot be: %v", name, err)
		}
	}
	m := message{what: tellClaim}
	b := m.append(nil, ofAll)
	for i := range b[5:] { // nobody is named, so each further byte is a truth, a kind or a set
		c := append([]byte(nil), b...)
		c[5+i] = 2
		if got, err := parse(c, ofAll); err == nil && got == m {
			t.Errorf("byte %d means nothing", i)
		}
	}
	for _, r := range []reader{{}, {b: make([]byte, 20), bad: true}} {
		if n := uint64(r.byte()) + uint64(r.uint32()) + r.uint64() + uint64(r.frame()) + uint64(r.set()); n != 0 || r.truth() || !r.bad {
			t.Errorf("a reader that has failed reads %d", n)
		}
	}
}

// The newest 64 entries are kept for members that are behind, and no more.
func TestTheNewestEntriesAreKept(t *testing.T) {
	l := newLocals(Config{}, 1)[0]
	c := l.core
	for n := range 3 * keep {
		e := Entry{Kind: None}
		if err := c.learn(e); err != nil {
			t.Fatal(err)
		}
		if len(c.log.kept) != min(n+1, 64) {
			t.Fatalf("%d of %d entries are kept", len(c.log.kept), n+1)
		}
		for slot := range uint32(n + 3) {
			if _, ok := c.log.entry(slot); ok != (slot <= uint32(n) && slot+64 > uint32(n)) {
				t.Fatalf("slot %d of %d: %v", slot, n+1, ok)
			}
		}
	}
}

// A member that leaves is whole when all inputs of all its players are here, and not
// before.
func TestWhoLeavesIsWaitedFor(t *testing.T) {
	n := newLocals(Config{}, 1, 2, 4|8)
	if err := n[2].core.Ask(Wish{Kind: Leave, Frame: 12}); err != nil {
		t.Fatal(err)
	}
	for _, p := range []int{2, 3} {
		exchange(n...)
		expect(t, "", n...)
		for _, l := range n[:2] {
			if l.core.guard.whole != 0 {
				t.Errorf("all inputs are here, it says, of %v", l.core.guard.whole)
			}
			l.next[p] = 12
		}
	}
	exchange(n...)
	if s := n[0].core.State(); s.Len() != 2 || n[2].core.Member() || n[0].core.log.state != n[1].core.log.state {
		t.Errorf("%v, %v", n[0].core.log.kept, n[1].core.log.kept)
	}
}

// A member that joined late leaves at its first frame at the earliest.
func TestWhoHasComeLaterMayLeaveAtOnce(t *testing.T) {
	for leave, want := range map[Frame]error{30: nil, 29: errImpossible} {
		c := newLocals(Config{}, 1, 2)[0].core
		c.log.state.Absent[1].Back = 30
		m := message{what: tellClaim, claim: claim{wishes: wishes{leaving: true, leave: leave}}}
		if err := c.Receive(2, m.append(nil, ofAll)); !errors.Is(err, want) {
			t.Errorf("at frame %d: %v", leave, err)
		}
	}
}

// An attempt that was refused is made again after Retry for the lowest member, twice that for
// the next one and so on; each time it is refused the wait doubles, up to 64 times.
func TestRefusedAttemptsWait(t *testing.T) {
	const retry = 10 * time.Millisecond
	for i, l := range newLocals(Config{retry: retry}, 1, 2|4, 8) {
		c := l.core
		c.now = time.Second
		for tries := 1; tries < 10; tries++ {
			c.synod.attempt = attempt{tries: tries, retryAt: Never, highest: 3}
			c.synod.refused(0, newBallot(5, 1), c.now)
			want := time.Second + time.Duration(i+1)*retry<<min(tries-1, 6)
			if a := &c.synod.attempt; a.retryAt != want || a.highest != 5 {
				t.Errorf("member %d, attempt %d: at %v, and not %v; round %d", i, tries, a.retryAt, want, a.highest)
			}
			if c.synod.refused(0, newBallot(4, 1), c.now); c.synod.attempt.retryAt != want || c.synod.attempt.highest != 5 {
				t.Error("another refusal puts it off, or takes a round back")
			}
		}
	}
}

// A newcomer asks for the next entry once per slot.
func TestANewcomerAsksOnce(t *testing.T) {
	l := &local{up: true}
	l.core = New(1<<7, Begin([]PlayerSet{1, 2}, 1<<7), l, Config{ID: 9})
	asked := 0
	for range 5 {
		l.core.Poll(0, modelAt)
		for range l.core.Outgoing() {
			asked++
		}
	}
	if asked != 2 {
		t.Errorf("it has asked two members %d times", asked)
	}
}

// Rule: a newcomer that hears of a later slot than its own asks again, since the members may
// not have known it when they announced a decision; a member never does.
func TestANewcomerThatIsBehindAsksAgain(t *testing.T) {
	asks := func(c *Core, slot uint32) (n int) {
		c.Reached(slot)
		c.Poll(0, modelAt)
		for range c.Outgoing() {
			n++
		}
		return n
	}
	l := &local{up: true}
	l.core = New(1<<7, Begin([]PlayerSet{1, 2}, 1<<7), l, Config{ID: 9})
	if n := asks(l.core, 0); n != 2 {
		t.Fatalf("it has asked two members %d times at first", n)
	}
	at := l.core.State().Slot
	for slot, want := range map[uint32]int{at: 0, at + 1: 2, at + 9: 2} {
		if n := asks(l.core, slot); n != want {
			t.Errorf("at slot %d, told of %d, it asks %d times, want %d", at, slot, n, want)
		}
	}
	member := newTrio()[0].core
	if asks(member, 0); asks(member, member.State().Slot+5) != 0 {
		t.Error("a member asks")
	}
}

// An attempt that is too far ahead of what is known here is refused, and nobody is blamed: its sender may only
// have heard of a round from a liar. The next attempt after that is accepted.
func TestAnAttemptFarAheadIsRefused(t *testing.T) {
	for _, what := range []byte{tellPrepare, tellAccept} {
		n := newTrio()[1]
		c := n.core
		receive := func(round uint64) (answer message) {
			t.Helper()
			m := message{what: what, ballot: newBallot(round, 2), entry: pauseBy(1)}
			if err := c.Receive(4, m.append(nil, ofAll)); err != nil {
				t.Fatal(err)
			}
			for _, s := range n.drain() {
				if m, err := parse([]byte(s.packet), ofAll); err == nil && s.to == 4 {
					answer = m
				}
			}
			return answer
		}
		if m := receive(maxJump + 1); m.what != tellRefuse || m.previous.round() != maxJump || c.synod.promised != 0 || c.synod.accepted.ballot != 0 {
			t.Errorf("too far ahead: %+v, promised %d", m, c.synod.promised)
		}
		if m := receive(maxJump + 2); m.what == tellRefuse || c.synod.promised != newBallot(maxJump+2, 2) {
			t.Errorf("the next one: %+v, promised %d", m, c.synod.promised)
		}
		if m := receive(2*maxJump + 2); m.what == tellRefuse {
			t.Errorf("as far ahead as it may be: %+v", m)
		}
	}
}

// A liar that tells one member of a round as far ahead as allowed, or makes it vote in one, does not make the
// honest members give each other up, whichever of them continues from there: they reach a decision.
func TestARoundThatALiarMadeHighIsNoLieOfTheNext(t *testing.T) {
	for told := range 2 {
		for wants := range 2 {
			for _, what := range []byte{tellPrepare, tellAccept} {
				n := newTrio()
				lie := message{what: what, ballot: newBallot(maxJump, 2), entry: pauseBy(4)}
				if err := n[told].core.Receive(4, lie.append(nil, ofAll)); err != nil {
					t.Fatal(err)
				}
				if err := n[wants].core.Ask(Wish{Kind: Pause}); err != nil {
					t.Fatal(err)
				}
				exchange(n[:2]...) // it panics if one refuses what the other says
				for range 10 {
					wait(time.Second, n[:2]...)
				}
				if len(log(t, n[:2]...)) == 0 {
					t.Errorf("member %d was told, %d wants a pause, message %d: nothing is decided", told, wants, what)
				}
			}
		}
	}
}

// A newcomer's inputs are not sent twice: fills are left to the lowest member that can
// send them.
func TestFillsComeFromOneMember(t *testing.T) {
	for _, c := range []struct {
		stopped PlayerSet // by the one that lacks inputs, besides
		held    Frame     // by the lower one
		want    bool
	}{{0, 20, true}, {0, 19, false}, {1, 20, false}} {
		core := newLocals(Config{}, 1, 2, 4, 8)[1].core
		core.claims.by[0] = claim{stopped: 8, held: [maxPlayers]Frame{3: c.held}}
		core.claims.by[2] = claim{stopped: 8 | c.stopped}
		v := core.view()
		if got := v.others(8, 2, 3, 20); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// One attempt has one entry: a second, different one is detected, and so is the same one
// twice.
func TestAnAttemptHasOneEntry(t *testing.T) {
	for _, frame := range []Frame{20, 21} {
		c := newTrio()[1].core
		first := message{what: tellAccept, ballot: newBallot(1, 2), entry: Entry{Kind: Pause, Players: 1, Frame: 20}}
		if err := c.Receive(4, first.append(nil, ofAll)); err != nil {
			t.Fatal(err)
		}
		again := first
		again.entry.Frame = frame
		if err := c.Receive(4, again.append(nil, ofAll)); (err == nil) != (frame == 20) || err != nil && !errors.Is(err, errImpossible) {
			t.Errorf("frame %d: %v", frame, err)
		}
	}
}

// Each seat may ask for eight pauses.
func TestPausesAreCounted(t *testing.T) {
	c := newLocals(Config{}, 1)[0].core
	for n := range 9 {
		c.log.state.Pauses[0] = uint8(n)
		if err := c.Ask(Wish{Kind: Pause}); (err == nil) != (n < 8) {
			t.Errorf("after %d pauses: %v", n, err)
		}
	}
}

// Not all members can be sent away, oneself included; the last one may leave.
func TestSomebodyRemains(t *testing.T) {
	for _, c := range []struct {
		kind    Kind
		players PlayerSet
		want    string
	}{
		{Drop, 7, "nobody would remain"},
		{Kick, 7, "nobody would remain"},
		{Drop, 6, ""},
		{Kick, 3, ""},
		{Leave, 4, ""},
		{Leave, 6, "members leave one by one"},
		{Drop, 8, "they are not all players of members"},
	} {
		s := Begin([]PlayerSet{1, 2, 4}, 0)
		if why := s.apply(Entry{Kind: c.kind, Players: c.players, Frame: 5, Cuts: [maxPlayers]Frame{5, 5, 5}}); why != c.want {
			t.Errorf("%v of %v: %q", c.kind, c.players, why)
		}
	}
}

// The lowest member coordinates, whichever seats are empty, and the next one does for a
// member that does not hear it.
func TestWhoCoordinates(t *testing.T) {
	for _, c := range []struct {
		members []PlayerSet
		accused PlayerSet // by member 8
		want    Player
	}{
		{[]PlayerSet{1, 2, 8}, 0, 0},
		{[]PlayerSet{2, 4, 8}, 0, 1},
		{[]PlayerSet{4, 8, 16}, 0, 2},
		{[]PlayerSet{2, 4, 8}, 2 | 4, 3},
	} {
		for _, l := range newLocals(Config{}, c.members...) {
			if l.core.me != 8 {
				continue
			}
			mine := &l.core.claims.by[3]
			mine.accused, mine.stopped = c.accused, c.accused
			v := l.core.view()
			if got := v.coordinator(); got != c.want {
				t.Errorf("of %v, with %v silent, %d coordinates", c.members, c.accused, got)
			}
			if got := v.nextCoordinator(); got != c.want {
				t.Errorf("of %v, with %v silent, %d is foreseen", c.members, c.accused, got)
			}
		}
	}
}
