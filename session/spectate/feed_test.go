package spectate

import (
	"errors"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/session/pipe"
	"github.com/tickback/tickback/session/reliable"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// Rule: times in frames follow from the tick period, and none is 0.
func TestTimesInFrames(t *testing.T) {
	for period, wanted := range map[time.Duration]spans{
		10 * time.Millisecond: {together: 5, fresh: 200, farBehind: 500, ahead: 1000, reuse: 200, keep: 3000},
		time.Minute:           {1, 1, 1, 1, 1, 1},
	} {
		want(t, "spans", spansOf(period), wanted)
	}
}

// Rule: a guest is brought up to date while it gets a state, is 5 s behind, or has more than
// 4 KiB waiting. Then what is under way to it is bounded by its window, and else by the
// stream's.
func TestWhoIsBroughtUpToDate(t *testing.T) {
	h := newHall(t, Config{Max: 4, Delay: 10, Token: hallToken})
	v, w := h.enter(1, nil), h.enter(2, seat(1, 5))
	h.run(10 * time.Second)
	a := h.audience
	for _, c := range []struct {
		g       *guest
		visible uint32
	}{{a.guestAt(v.addr), h.frame - 10}, {a.guestAt(w.addr), h.frame}} {
		g := c.g
		want(t, "up to date", a.bulk(g), false)
		g.state = &state{}
		want(t, "with a state", a.bulk(g), true)
		g.state = nil
		for behind, wanted := range map[uint32]bool{a.spans.farBehind: false, a.spans.farBehind + 1: true} {
			g.next = c.visible - behind
			want(t, "some frames behind", a.bulk(g), wanted)
			g.placed = false
			want(t, "without a place", a.bulk(g), false)
			g.placed = true
		}
		g.next = c.visible
		for have := g.pipe.Channel.Pending(); have < 4<<10; have = g.pipe.Channel.Pending() {
			want(t, "with some bytes", a.bulk(g), false)
			if err := g.pipe.Channel.Send(make([]byte, 1)); err != nil {
				t.Fatal(err)
			}
			if g.pipe.Channel.Pending() > 4<<10 {
				break
			}
		}
		want(t, "with just so many", a.bulk(g), g.pipe.Channel.Pending() > 4<<10)
		if err := g.pipe.Channel.Send(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		want(t, "with more", a.bulk(g), true)
	}
}

// Rule: what a guest that is brought up to date has under way is bounded by its window.
func TestTheWindowIsKept(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.state = 300_000
	h.run(5 * time.Second)
	v := h.enter(1, nil)
	h.run(60 * time.Millisecond)
	g := h.audience.guestAt(v.addr)
	most := 0
	for range 20 {
		v.away = true
		h.run(4 * time.Millisecond)
		most = max(most, g.pipe.Channel.UnderWay())
		if under := g.pipe.Channel.UnderWay(); under > g.pace.window {
			t.Fatalf("%d fragments are under way, with a window of %d", under, g.pace.window)
		}
	}
	if most < firstWindow/2 {
		t.Errorf("%d are under way", most)
	}
	var p pace
	p.init()
	c := g.pipe.Channel
	p.apply(c, false)
	for c.UnderWay() < reliable.Window && c.UnderWay() < 100 {
		before := c.UnderWay()
		g.pipe.Append(nil, h.now)
		if c.UnderWay() == before {
			break
		}
	}
	if c.UnderWay() <= firstWindow {
		t.Errorf("%d are under way to one that is up to date", c.UnderWay())
	}
}

// Rule: messages of frames and of a state have 8 KiB at most, as far as there is so much; no
// more than 96 KiB wait for a guest.
func TestHowMuchIsSentAtATime(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.state = 200_000
	h.run(30 * time.Second)
	v := h.enter(1, nil)
	h.run(40 * time.Millisecond)
	a, g := h.audience, h.audience.guestAt(v.addr)
	if n := g.pipe.Channel.Pending(); n < 60<<10 || n > 104<<10 {
		t.Errorf("%d bytes wait", n)
	}
	s := &state{bytes: make([]byte, 20_000)}
	g.state, g.sent = s, 0
	for _, n := range []int{8 << 10, 8 << 10, 20_000 - 16<<10} {
		want(t, "a part of a state", len(a.chunk(g, nil)), 1+n)
	}
	g.state, g.placed, g.next = nil, true, 0
	h = newHall(t, Config{Max: 4})
	v = h.enter(1, nil)
	h.run(time.Second)
	g = h.audience.guestAt(v.addr)
	g.state, g.sent = &state{bytes: make([]byte, 200_000)}, 0
	for g.pipe.Channel.Pending() < 95<<10+200-11*8200 { // so that 95 KiB and 96 are not the same
		if err := g.pipe.Channel.Send(make([]byte, 100)); err != nil {
			t.Fatal(err)
		}
	}
	if h.audience.feed(g); g.pipe.Channel.Pending() < 96<<10 || g.pipe.Channel.Pending() > 105<<10 {
		t.Errorf("%d bytes wait", g.pipe.Channel.Pending())
	}
}

// Rule: a message of frames has 8 KiB of them at most, and as many as fit.
func TestHowManyFramesAreSentAtATime(t *testing.T) {
	var out pipe.Outbox
	shape := agreed.Shape{Players: 4, InputSize: 60}
	a := NewAudience(Config{Max: 1, LogBytes: 1 << 20, Rate: DefaultRate}, newHall(t, Config{Max: 1}), shape, hallPeriod, counting(1), &out)
	if err := a.Begin(&datagram.Offer{Match: 1}); err != nil {
		t.Fatal(err)
	}
	for n := range uint32(200) {
		f := agreed.Frame{Number: n, Inputs: make([]byte, 240)}
		for i := range f.Inputs {
			f.Inputs[i] = byte((n + 1) * 0x9E3779B1 >> (i % 23))
		}
		if err := a.Frame(&f); err != nil {
			t.Fatal(err)
		}
	}
	p, err := pipe.New(hostAddr, 1, 2, hallPeriod, 0)
	if err != nil {
		t.Fatal(err)
	}
	g := &guest{pipe: p, placed: true}
	for range 3 {
		from := g.next
		if !a.frames(g, a.message[:0]) || len(a.message) > 7+8<<10 || len(a.message) < 8<<10-280 && g.next%64 != 0 {
			t.Errorf("%d frames in %d bytes", g.next-from, len(a.message))
		}
	}
}

// Rule: who was interrupted while it got a state gets the rest of it, and not all again.
func TestAStateGoesOn(t *testing.T) {
	h := newHall(t, Config{Max: 4, Rate: 200_000, Timeout: time.Second})
	h.state = 600_000
	h.run(5 * time.Second)
	v := h.enter(1, nil)
	v.cfg.Timeout = time.Minute
	h.run(1500 * time.Millisecond)
	have, size := v.Transfer()
	if size != 600_000 || have < 200_000 || have >= size {
		t.Fatalf("%d of %d", have, size)
	}
	v.away = true
	h.run(2500 * time.Millisecond)
	want(t, "it was lost", len(v.lost), 1)
	v.away = false
	bytes := 0
	h.tap = func(from, _ netip.AddrPort, b []byte) bool {
		if from == h.addr {
			bytes += len(b)
		}
		return true
	}
	h.run(4 * time.Second)
	want(t, "states", len(v.states), 1)
	if rest := 600_000 - have; bytes > rest+rest/4+40_000 {
		t.Errorf("%d bytes were sent for the %d that were left", bytes, rest)
	}
	want(t, "encoded", h.audience.Stats().States, 1)
	have, size = v.Transfer()
	want(t, "on its way", have+size, 0)
}

// Rule: bytes go on to who is brought up to date as the rate allows, though nothing is heard
// of it; and who gets them takes turns.
func TestTheRateIsUsedWithoutAnswers(t *testing.T) {
	h := newHall(t, Config{Max: 4, Rate: 100_000})
	h.state = 300_000
	h.run(5 * time.Second)
	sent := map[netip.AddrPort]int{}
	h.tap = func(from, to netip.AddrPort, b []byte) bool {
		if from == h.addr && len(b) > 500 {
			sent[to] += len(b)
		}
		return true
	}
	var all []*visitor
	for i := range byte(3) {
		all = append(all, h.enter(i, nil))
	}
	h.run(3 * time.Second)
	total := 0
	for _, v := range all {
		if n := sent[v.addr]; n < 85_000 || n > 115_000 {
			t.Errorf("%d bytes in 3 s, of a rate of 100 000 for three", n)
		}
		total += sent[v.addr]
	}
	if total > 310_000 || total < 280_000 {
		t.Errorf("%d bytes in 3 s", total)
	}
	h.tap = nil
	g := h.audience.guestAt(all[0].addr)
	before := g.pipe.Transmitted
	h.audience.guests = []*guest{g} // the others go, and nothing is heard of this one
	for _, v := range all {
		v.away = true
	}
	g.pace.window = 64
	h.run(400 * time.Millisecond)
	if n := g.pipe.Transmitted - before; n < 20 {
		t.Errorf("%d datagrams in 400 ms", n)
	}
}

// Rule: a state that is final but not agreed waits until it is; if it never will be, because
// the host closes, who was sent it is told so.
func TestAStateThatIsNotAgreed(t *testing.T) {
	for _, closes := range []bool{true, false} {
		h := newHall(t, Config{Max: 4})
		h.run(5 * time.Second)
		h.ahead = 30
		v := h.enter(1, nil)
		h.run(200 * time.Millisecond)
		want(t, "states", len(v.states), 0)
		if h.playing = false; closes {
			h.audience.Close("it is over")
			h.run(time.Second)
			want(t, "why", v.lost[0].Error(), "it says: it is over")
			continue
		}
		h.run(2 * time.Second)
		want(t, "states", len(v.states), 0)
		h.playing = true
		h.run(time.Second)
		want(t, "states, then", len(v.states), 1)
	}
}

// Rule: without a state, who comes gets all from frame 0, if it is held.
func TestWithoutAStateAllIsSent(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.run(5 * time.Second)
	h.fails = errors.New("no memory")
	v := h.enter(1, nil)
	h.run(time.Second)
	want(t, "items", fmt.Sprint(v.items), "[match 1]")
	want(t, "frames", v.frames > 300, true)
	d := newHall(t, Config{Max: 4, Delay: 10})
	d.audience.offer = nil
	d.run(time.Second)
	want(t, "states of no match", d.encoded, 0)
}

// Rule: a Welcome counts once, of whom was asked, and with the right tag.
func TestWhichWelcomeCounts(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	var welcome []byte
	h.tap = func(from, _ netip.AddrPort, b []byte) bool {
		if from == h.addr && b[0] == datagram.KindWelcome {
			welcome = append([]byte(nil), b...)
		}
		return true
	}
	v := h.enter(1, nil)
	h.run(time.Second)
	p := v.pipe
	v.Receive(h.now, hostAddr, welcome)
	want(t, "the same pipe", v.pipe, p)
	want(t, "strangers", v.Traffic().Strangers, 0)
	w := h.bring(2, visitorConfig(2))
	w.Receive(h.now, hostAddr, welcome)
	want(t, "before it has begun", w.Traffic().Strangers, 1)
	w.away = true
	h.run(20 * time.Millisecond)
	w.Receive(h.now, hostAddr, welcome)
	want(t, "of another one", w.Traffic().Strangers, 2)
	body := datagram.Key(w.search.nonce).Seal(append([]byte(nil), welcome[:10]...), 0, 0)
	w.Receive(h.now, hostAddr, body)
	want(t, "half of one", w.Traffic().Strangers, 3)
	want(t, "no pipe", w.pipe == nil, true)
	want(t, "Limit", w.Limit(), 0)
	want(t, "Limit of a pipe", v.Limit(), datagram.MinSize)
	v.Receive(h.now+time.Minute, hostAddr, welcome)
	want(t, "time goes on when something comes", v.now, h.now+time.Minute)
	smoothed, deviation := w.RoundTrip()
	want(t, "a way to nobody", smoothed+deviation, 0)
}

// Rule: an Attach goes out again every 40 ms at least until the host takes us.
func TestAnAttachIsSentAgain(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	var at []time.Duration
	h.tap = func(from, to netip.AddrPort, b []byte) bool {
		if to == hostAddr && b[0] == datagram.KindAttach {
			at = append(at, h.now)
			return false
		}
		return b[0] == datagram.KindWatch || b[0] == datagram.KindWelcome
	}
	v := h.enter(1, nil)
	h.run(time.Second)
	want(t, "it is in", v.Attached(), false)
	for i := 1; i < len(at); i++ {
		if gap := at[i] - at[i-1]; gap > 44*time.Millisecond {
			t.Errorf("after %v", gap)
		}
	}
	if len(at) < 20 {
		t.Errorf("%d", len(at))
	}
	h.run(1500 * time.Millisecond)
	want(t, "lost", len(v.lost), 0) // it was never found
	want(t, "the host is asked anew", v.search.failures > 0, true)
}

// Rule: hosts that are added are tried, too, each once, and at most 32.
func TestHostsAreAdded(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.down = true
	second := h.open(Config{Max: 4})
	v := h.enter(1, nil)
	for range 2 {
		v.AddHost(second.addr)
		v.AddHost(hostAddr)
	}
	want(t, "hosts", len(v.cfg.Hosts), 2)
	v.cfg.Timeout = time.Minute
	h.run(5 * time.Second)
	want(t, "it is at", v.Host(), second.addr)
	want(t, "it is in", v.Attached(), true)
	for i := range uint16(100) {
		v.AddHost(netip.AddrPortFrom(second.addr.Addr(), i))
	}
	want(t, "hosts then", len(v.cfg.Hosts), 32)
	for _, final := range v.search.final {
		want(t, "one says for good that it is of no use", final, false)
	}
	want(t, "reasons", len(v.search.reasons)+len(v.search.final)+len(v.search.behind), 3*32)
}

// Rule: what is not taken waits, up to 256 KiB; then nothing more is taken from the host, and
// it comes later.
func TestWhatIsNotTakenWaits(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.state = 0
	h.run(600 * time.Second)
	v := h.enter(1, nil)
	for range 2500 {
		h.now += 4 * time.Millisecond
		h.audience.Update(h.now)
		h.carry(h)
		v.Update(h.now)
		for _, b := range v.Outgoing() {
			h.audience.Receive(h.now, v.addr, b)
		}
		v.audit(t)
	}
	if !v.Full() || v.queue.size < 256<<10 || v.queue.size > 256<<10+9<<10 || v.Err() != nil || !v.Attached() {
		t.Errorf("%d bytes wait, full %v, %v", v.queue.size, v.Full(), v.Err())
	}
	h.run(2 * time.Second)
	want(t, "there", h.frame-v.at <= 5, true)
}
