package reliable

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// writes advances the time for a channel that gets no answers, and returns when it
// wrote something.
func writes(c *Channel, from, to time.Duration) (at []time.Duration) {
	for now := from; now <= to; now += time.Millisecond {
		if len(c.Append(nil, FullRoom, now)) > 0 {
			at = append(at, now)
		}
	}
	return at
}

// Without an answer a fragment is sent again after the time-out, then after twice
// that, and so on up to MaxTimeout.
func TestTheTimeoutDoublesUpToTheMost(t *testing.T) {
	c, _ := twoEnds(t)
	c.SetTimeout(300 * time.Millisecond)
	mustSend(t, c, "anyone?")
	var want []time.Duration
	for _, ms := range []time.Duration{0, 300, 900, 2100, 4100, 6100, 8100} {
		want = append(want, ms*time.Millisecond)
	}
	if got := writes(c, 0, 9*time.Second); !slices.Equal(got, want) {
		t.Errorf("written at %v, want %v", got, want)
	}
}

// If someone waits for messages, the time-out doubles only as often as configured.
func TestTheTimeoutDoublesAsOftenAsItMay(t *testing.T) {
	for doublings, want := range map[int][]time.Duration{
		1: {0, 300, 900, 1500, 2100, 2700}, 2: {0, 300, 900, 2100, 3300, 4500}, 8: {0, 300, 900, 2100, 4100, 6100},
	} {
		c, err := New(Config{Doublings: doublings})
		if err != nil {
			t.Fatal(err)
		}
		c.SetTimeout(300 * time.Millisecond)
		mustSend(t, c, "anyone?")
		for i, at := range writes(c, 0, 7*time.Second)[:len(want)] {
			if at != want[i]*time.Millisecond {
				t.Errorf("%d doublings: written for the %d. time at %v, not %v", doublings, i, at, want[i]*time.Millisecond)
			}
		}
	}
	for _, doublings := range []int{-1, 9} {
		if _, err := New(Config{Doublings: doublings}); !errors.Is(err, ErrConfig) {
			t.Errorf("%d doublings: %v", doublings, err)
		}
	}
}

// Whatever time-out is set, it is held between MinTimeout and MaxTimeout, and
// doubled for however long it stays below the latter.
func TestTheTimeoutIsBounded(t *testing.T) {
	for set, want := range map[time.Duration]time.Duration{
		-time.Hour: MinTimeout, 0: MinTimeout, time.Second: time.Second, time.Hour: MaxTimeout,
	} {
		c, _ := twoEnds(t)
		c.SetTimeout(set)
		mustSend(t, c, "anyone?")
		if got := writes(c, 0, 5*time.Second); got[1] != want {
			t.Errorf("time-out %v: written at %v", set, got)
		}
		if got := writes(c, 5*time.Second, time.Minute); len(got) < 25 || len(got) > 30 {
			t.Errorf("time-out %v: written %d times in the last 55 s", set, len(got))
		}
	}
}

// An acknowledgement that brings news shows that the path is alive: everything
// else in flight has its first time-out again.
func TestNewsResetTheTimeout(t *testing.T) {
	a, b := twoEnds(t)
	mustSend(t, a, "lost")
	writes(a, 0, 10*time.Second)
	mustSend(t, a, "arrives")
	section := a.Append(nil, FullRoom, 10*time.Second)
	mustConsume(t, b, section)
	if _, err := a.Consume(b.Append(nil, FullRoom, 0), 10*time.Second); err != nil {
		t.Fatal(err)
	}
	if at, any := a.Due(10 * time.Second); !any || at > 10*time.Second+InitialTimeout {
		t.Errorf("due at %v, %v", at, any)
	}
}

// A fragment counts as lost when three later sections have been acknowledged, and
// not before. Several fragments of one section are one proof.
func TestThreeLaterSectionsProveALoss(t *testing.T) {
	a, b := twoEnds(t)
	mustSend(t, a, "lost")
	a.Append(nil, FullRoom, 0)
	for i := range 3 {
		mustSend(t, a, "later", "in one section", "each")
		mustConsume(t, b, a.Append(nil, FullRoom, time.Millisecond))
		mustConsume(t, a, b.Append(nil, FullRoom, time.Millisecond))
		if at, any := a.Due(2 * time.Millisecond); !any || (at == 2*time.Millisecond) != (i == 2) {
			t.Fatalf("after %d later sections: due at %v, %v", i+1, at, any)
		}
	}
	mustConsume(t, b, a.Append(nil, FullRoom, 2*time.Millisecond))
	if at, any := a.Due(3 * time.Millisecond); !any || at != 2*time.Millisecond+InitialTimeout {
		t.Errorf("due again at %v, %v", at, any)
	}
	if got := all(b); len(got) != 10 || got[0] != "lost" {
		t.Errorf("messages are %q", got)
	}
	if s := a.Stats(); s.Resent != 1 || s.Sent != 11 {
		t.Errorf("stats are %+v", s)
	}
}

// The arrival of a part of a section proves nothing about the rest of it: the
// receiver may have refused that.
func TestOneSectionProvesNoLossOfItsOwn(t *testing.T) {
	a, _ := twoEnds(t)
	mustSend(t, a, "0", "1", "2", "3")
	a.Append(nil, FullRoom, 0)
	for _, holes := range []byte{1, 3, 7} {
		mustConsume(t, a, []byte{ackFlag | holesFlag, 0, 1, holes})
	}
	if at, any := a.Due(1); !any || at == 1 {
		t.Errorf("due at %v, %v", at, any)
	}
}

// The holes describe the whole window.
func TestHolesReachToTheEndOfTheWindow(t *testing.T) {
	c, _ := twoEnds(t)
	for _, n := range []uint64{1, Window - 1} {
		mustConsume(t, c, oneFragment(n, 1, false))
	}
	want := acknowledgement{}
	want.holes[0], want.holes[Window/8-1] = 1, 1<<6
	if got := c.receiver.acknowledgement(); got != want {
		t.Errorf("acknowledgement is %x, want %x", got, want)
	}
}

// A section that the caller discards is a loss like others, for a message as well
// as for an acknowledgement.
func TestADiscardedSectionIsALoss(t *testing.T) {
	a, b := twoEnds(t)
	mustSend(t, a, "message")
	a.Append(nil, FullRoom, 0)
	again := a.Append(nil, FullRoom, InitialTimeout)
	mustConsume(t, b, again)
	b.Append(nil, FullRoom, 0) // the acknowledgement
	if got := b.Append(nil, FullRoom, 0); len(got) > 0 {
		t.Errorf("acknowledged twice: %x", got)
	}
	mustConsume(t, b, again)
	mustConsume(t, a, b.Append(nil, FullRoom, 0))
	if a.Pending() != 0 || len(all(b)) != 1 {
		t.Error("the message did not arrive once")
	}
}

// A fragment that was cut waits for the room that it needs; smaller ones go past.
func TestAFragmentWaitsForRoom(t *testing.T) {
	a, b := twoEnds(t)
	mustSend(t, a, strings.Repeat("large", 180), "small")
	a.Append(nil, FullRoom, 0)
	mustConsume(t, b, a.Append(nil, 500, time.Second))
	if at, any := a.Due(time.Second); !any || at != time.Second {
		t.Errorf("due at %v, %v", at, any)
	}
	mustConsume(t, b, a.Append(nil, FullRoom, time.Second))
	if got := all(b); len(got) != 2 {
		t.Errorf("%d messages", len(got))
	}
}

// Messages are not cut into crumbs: a message that has to be cut gives at least
// minCut bytes, and half a fragment when half the window is used.
func TestNoCrumbs(t *testing.T) {
	const minCutLate = MaxFragment / 2
	limits := []int{minCut + 3, minCut + 4, minCutLate + 4, minCutLate + 5, FullRoom - 1}
	for room := range FullRoom {
		if testing.Short() && room%29 > 0 && !slices.Contains(limits, room) {
			continue
		}
		c, err := New(Config{Backlog: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		long := strings.Repeat("x", MaxMessage)
		mustSend(t, c, long, long, long, long)
		for range 2 * Window {
			c.Append(nil, room, 0)
		}
		s := &c.sender
		for n := s.una; n < s.next; n++ {
			least := minCut
			if n >= Window/2 {
				least = minCutLate
			}
			if !s.fragment(n).continues {
				continue // the rest of a message may be short
			}
			if got := s.fragment(n).length; got < least || got > room {
				t.Fatalf("room %d: fragment %d has %d bytes", room, n, got)
			}
		}
		if enough := room >= minCutLate+5; enough && s.next != Window {
			t.Errorf("room %d: %d fragments", room, s.next)
		}
		if enough := room >= minCut+4; enough != (s.next > 0) {
			t.Errorf("room %d: %d fragments", room, s.next)
		}
	}
}

// A fragment takes at most the available room, to the byte, and FullRoom is enough
// for the largest fragment beside the largest acknowledgement.
func TestFullRoomIsEnough(t *testing.T) {
	for _, number := range []uint64{0, 127, 128, 1<<49 - 100} {
		c, _ := twoEnds(t)
		c.sender.una, c.sender.next = number, number
		c.receiver.taken, c.receiver.arrived = number, number
		for i := uint64(Window - 1); i > 0; i-- { // all but the first of the window
			mustConsume(t, c, oneFragment(number+i, 1, false))
		}
		mustSend(t, c, strings.Repeat("x", MaxFragment))
		section := c.Append(nil, FullRoom, 0)
		if c.sender.bytes.len() != c.sender.underWay || c.receiver.owing {
			t.Errorf("number %d: %d of %d bytes in a section of %d", number, c.sender.underWay, c.Pending(), len(section))
		}
		if number > 1<<48 && len(section) != FullRoom {
			t.Errorf("number %d: section of %d bytes, FullRoom is %d", number, len(section), FullRoom)
		}
	}
}

// No more than Window fragments are in flight, counted from the oldest.
func TestTheWindowIsBounded(t *testing.T) {
	a, b := twoEnds(t)
	for range 2 * Window {
		mustSend(t, a, "m")
	}
	first := a.Append(nil, FullRoom, 0)
	var others [][]byte
	for range 4 * Window / countBits {
		if section := a.Append(nil, FullRoom, 0); len(section) > 0 {
			others = append(others, section)
		}
	}
	if a.Stats().Sent != Window {
		t.Errorf("sent %d in %d sections", a.Stats().Sent, 1+len(others))
	}
	if _, any := a.Due(0); !any {
		t.Error("nothing is due")
	}
	for _, section := range others {
		mustConsume(t, b, section)
	}
	mustConsume(t, a, b.Append(nil, FullRoom, 0))
	a.Append(nil, FullRoom, 0)
	if next := a.sender.next; next != Window {
		t.Errorf("the oldest is missing, and fragment %d is under way", next-1)
	}
	mustConsume(t, b, first)
	mustConsume(t, a, b.Append(nil, FullRoom, 0))
	if at, any := a.Due(0); !any || at != 0 {
		t.Errorf("all have arrived: due at %v, %v", at, any)
	}
}

// Send refuses a message that does not fit, and takes it when the backlog has
// shrunk.
func TestTheBacklogIsBounded(t *testing.T) {
	c, err := New(Config{MaxMessage: 100, Backlog: 300})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		size int
		want error
	}{
		{0, ErrEmpty},
		{101, ErrTooLong},
		{100, nil},
		{100, nil},
		{100, ErrFull},
		{52, nil}, // 252 bytes and three times 16
		{1, ErrFull},
	} {
		before := c.Pending()
		err := c.Send(make([]byte, test.size))
		if !errors.Is(err, test.want) {
			t.Errorf("%d bytes: %v, want %v", test.size, err, test.want)
		}
		if grown := c.Pending() - before; (err == nil) != (grown > 0) || grown > 0 && grown != test.size {
			t.Errorf("%d bytes: pending grew by %d", test.size, grown)
		}
	}
	c.Append(nil, FullRoom, 0)
	mustConsume(t, c, []byte{ackFlag, 1})
	mustSend(t, c, strings.Repeat("x", 100))
}

// Invalid settings are refused by name at construction.
func TestConfigIsChecked(t *testing.T) {
	for config, good := range map[Config]bool{
		{}:                            true,
		{MaxMessage: 1, Backlog: 17}:  true,
		{MaxMessage: MaxMessage}:      true,
		{Backlog: MaxBacklog}:         true,
		{MaxMessage: -1}:              false,
		{MaxMessage: MaxMessage + 1}:  false,
		{MaxMessage: 10, Backlog: 25}: false,
		{Backlog: MaxMessage}:         false,
		{Backlog: -1}:                 false,
		{Backlog: MaxBacklog + 1}:     false,
	} {
		if _, err := New(config); good != (err == nil) || !good && !errors.Is(err, ErrConfig) {
			t.Errorf("%+v: %v", config, err)
		}
	}
}

// A narrower window holds back new fragments, and those in flight stay in flight.
func TestTheWindowCanBeNarrowed(t *testing.T) {
	a, b := twoEnds(t)
	a.SetWindow(3)
	for range 10 {
		mustSend(t, a, "m")
	}
	mustConsume(t, b, a.Append(nil, FullRoom, 0))
	if a.UnderWay() != 3 {
		t.Errorf("%d fragments are under way", a.UnderWay())
	}
	a.SetWindow(0) // at least 1
	mustConsume(t, a, b.Append(nil, FullRoom, 0))
	a.Append(nil, FullRoom, 0)
	if a.UnderWay() != 1 {
		t.Errorf("then %d", a.UnderWay())
	}
	a.SetWindow(Window + 1)
	a.Append(nil, FullRoom, 0)
	if a.UnderWay() != 7 {
		t.Errorf("at last %d", a.UnderWay())
	}
}
