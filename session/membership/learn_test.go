package membership

import (
	"errors"
	"slices"
	"testing"
)

// A newcomer that is lost before all are ready for it does not join. That does not affect
// others, not even those that want one of the same players.
func TestALostNewcomerDoesNotCome(t *testing.T) {
	for lost, want := range map[PlayerSet]string{1 << 7: "", 1<<7 | 1<<6: "join player 7 at 20, 9; ", 1 << 6: "join player 7 at 20, 9; "} {
		n := newTrio()
		for i, l := range n {
			if l.core.Ready(1<<7, 9); i == 0 {
				l.core.Unready(lost)
			}
		}
		exchange(n...)
		expect(t, want, n...)
	}
}

// A member sends each decision to all that were members before, and to a newcomer that it is ready for.
// A newcomer that follows the log sends it to nobody.
func TestWhoIsToldOfAnEntry(t *testing.T) {
	e := Entry{Kind: Kick, Players: 4, Cuts: [maxPlayers]Frame{2: 10}}
	chosen := func(l *local) (to []PlayerSet) {
		for _, s := range l.drain() {
			if s.packet[0] == tellChosen {
				to = append(to, s.to)
			}
		}
		slices.Sort(to)
		return to
	}
	n := newTrio()
	n[0].core.Ready(1<<7, 9)
	n[0].core.Ready(1<<6, 8)
	n[0].core.guard.stopped = 4
	if err := n[0].core.learn(e); err != nil {
		t.Fatal(err)
	}
	if to := chosen(n[0]); !slices.Equal(to, []PlayerSet{2, 4, 1 << 6, 1 << 7}) {
		t.Errorf("it has told %v", to)
	}
	l := &local{up: true}
	l.core = New(1<<7, Begin([]PlayerSet{1, 2, 4}, 1<<7), l, Config{ID: 9})
	if err := l.core.learn(e); err != nil {
		t.Fatal(err)
	}
	if to := chosen(l); len(to) != 0 {
		t.Errorf("a newcomer has told %v", to)
	}
}

// The claim of a member for a slot that is not reached here waits for that slot; if its sender is no
// longer a member by then, it is dropped.
func TestAnEarlyClaimWaitsForItsSlot(t *testing.T) {
	for kicked, heard := range map[PlayerSet]PlayerSet{2: 4, 4: 0} {
		c := newTrio()[0].core
		m := message{what: tellClaim, slot: 1, claim: claim{wishes: wishes{pause: true}}}
		if err := c.Receive(4, m.append(nil, ofAll)); err != nil || c.claims.by[2].wishes.pause {
			t.Fatalf("it is taken at once: %v", err)
		}
		c.guard.stopped = kicked
		e := Entry{Kind: Kick, Players: kicked, Cuts: [maxPlayers]Frame{1: 10, 2: 10}}
		e.Cuts[3-lowest(kicked)] = 0
		if err := c.learn(e); err != nil {
			t.Fatal(err)
		}
		if c.claims.heard != heard || c.claims.by[2].wishes.pause != (heard != 0) {
			t.Errorf("after the kick of %v: heard %v, %+v", kicked, c.claims.heard, c.claims.by[2].wishes)
		}
	}
}

// A member that joined and asks for earlier slots gets them. A member that has reached our slot got them
// then, and does not get them twice; one that has not may have got them before it was in the match.
func TestWhoIsToldOfOldSlots(t *testing.T) {
	n := newTrio()
	join := Entry{Kind: Join, Players: 1 << 7, Frame: 30, ID: 9}
	c := n[0].core
	for _, e := range []Entry{pauseBy(1), {Kind: Resume, Players: 1, Frame: modelAt}, join, pauseBy(2)} {
		c.guard.gated = join.Frame
		if err := c.learn(e); err != nil {
			t.Fatal(err)
		}
	}
	n[0].drain()
	for _, k := range []struct {
		from PlayerSet
		slot uint32
		here bool // it has reached our slot
		told bool
	}{
		{1 << 7, 0, true, true},
		{1 << 7, 2, true, true},
		{1 << 7, 3, true, false},
		{1 << 7, 3, false, true},
		{4, 0, true, false},
		{4, 0, false, true},
		{4, 3, false, true},
		{1 << 6, 0, true, true},
		{1 << 6, 3, true, true},
	} {
		if c.claims.heard = 0; k.here {
			c.claims.heard = k.from
		}
		m := message{what: tellClaim, slot: k.slot}
		if err := c.Receive(k.from, m.append(nil, ofAll)); err != nil {
			t.Fatal(err)
		}
		told := false
		for _, s := range n[0].drain() {
			told = told || s.to == k.from && s.packet[0] == tellChosen
		}
		if told != k.told {
			t.Errorf("slot %d, asked for by %v, which is here: %v: told %v", k.slot, k.from, k.here, told)
		}
	}
}

// A member that leaves claims nothing about its own inputs, though it has all of them; and
// nothing is cut off of a member that does not leave.
func TestOnlyWhoLeavesIsCutOff(t *testing.T) {
	n := newTrio()
	if err := n[2].core.Ask(Wish{Kind: Leave, Frame: 10}); err != nil {
		t.Fatal(err)
	}
	if n[2].poll(); n[2].core.guard.whole != 0 {
		t.Errorf("it cuts off %v", n[2].core.guard.whole)
	}
	exchange(n...)
	expect(t, "leave player 2 at 10; ", n...)

	n = newTrio()
	for _, l := range n {
		l.next = [maxPlayers]Frame{}
		l.poll()
	}
	exchange(n...)
	for _, l := range n {
		if l.core.guard.whole != 0 || l.core.Limit(0) != NoFrame {
			t.Errorf("%v cuts off %v", l.core.me, l.core.guard.whole)
		}
	}
}

// Only a member can ask for a pause or its end.
func TestOnlyMembersPause(t *testing.T) {
	s := Begin([]PlayerSet{1, 2 | 4}, 0)
	paused := s
	if why := paused.apply(pauseBy(1)); why != "" {
		t.Fatal(why)
	}
	for from, want := range map[PlayerSet]string{1: "", 2 | 4: "", 2: "only a member can ask", 8: "only a member can ask", 1 | 2: "only a member can ask"} {
		for state, e := range map[*LogState]Entry{&s: pauseBy(from), &paused: {Kind: Resume, Players: from, Frame: modelAt}} {
			next := *state
			if why := next.apply(e); why != want {
				t.Errorf("%v: %q", e, why)
			}
		}
	}
}

// An entry about no player, and an intent of a kind that needs no intent, are refused.
func TestMessagesAboutNobody(t *testing.T) {
	for k := Leave; k < kinds; k++ {
		b := (&Entry{Kind: k, Players: 1, ID: 5}).append(nil, ofAll)
		if _, _, err := consumeEntry(b); err != nil {
			t.Errorf("%v: %v", k, err)
		}
		if k.cuts() {
			b = b[:2]
		}
		b[1] = 0
		if _, _, err := consumeEntry(b); !errors.Is(err, errMalformed) {
			t.Errorf("%v of nobody: %v", k, err)
		}
	}
	m := message{what: tellClaim}
	none := m.append(nil, ofAll)
	at := len(none) - 2 // the kind of the intent, before whether there is a gate
	for k := range 256 {
		none[at] = byte(k)
		if _, err := parse(none, ofAll); (err == nil) != (k == int(None)) {
			t.Errorf("an intent of kind %d: %v", k, err)
		}
	}
}

// A kind of message that does not exist is no message, whatever follows.
func TestMessagesOfNoKind(t *testing.T) {
	m := message{what: tellAccepted, ballot: newBallot(1, 0), entry: pauseBy(1)}
	b := m.append(nil, ofAll)
	for what := range 256 {
		b[0] = byte(what)
		if _, err := parse(b, ofAll); what >= int(messages) && !errors.Is(err, errMalformed) {
			t.Errorf("kind %d: %v", what, err)
		}
	}
}

// A newcomer gets players that nobody has, and at least one.
func TestANewcomerTakesNobodysPlayers(t *testing.T) {
	for players, want := range map[PlayerSet]string{
		1 << 7: "", 1<<6 | 1<<7: "", 0: "the players are taken", 1: "the players are taken", 1 | 1<<7: "the players are taken",
	} {
		s := Begin([]PlayerSet{1, 2}, 1<<6|1<<7)
		if why := s.apply(Entry{Kind: Join, Players: players, Frame: 30, ID: 9}); why != want {
			t.Errorf("%v: %q", players, why)
		}
	}
}

// A member that asks to leave before its first frame leaves at that frame.
func TestNobodyLeavesBeforeItHasCome(t *testing.T) {
	for asked, want := range map[Frame]Frame{0: 30, 29: 30, 30: 30, 31: 31} {
		c := newLocals(Config{}, 1|2, 4)[0].core
		c.log.state.Absent[1].Back = 30
		if err := c.Ask(Wish{Kind: Leave, Frame: asked}); err != nil || c.wishes.leave != want {
			t.Errorf("at %d: leaves at %d, %v", asked, c.wishes.leave, err)
		}
		if err := c.Ask(Wish{Kind: Leave, Frame: asked}); err != nil {
			t.Errorf("the same once more: %v", err)
		}
	}
}
