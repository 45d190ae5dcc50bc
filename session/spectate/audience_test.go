package spectate

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/session/pipe"
	"github.com/tickback/tickback/wire/datagram"
)

// Rule: spectators are kept behind by Delay, to the frame, until the match has ended; then
// they see all of it, and how it has ended.
func TestSpectatorsAreKeptBehind(t *testing.T) {
	for _, delay := range []int{0, 1, 100} {
		h := newHall(t, Config{Max: 4, Delay: delay})
		v := h.enter(1, nil)
		h.run(4 * time.Second)
		for range 50 {
			h.run(4 * time.Millisecond)
			if behind := int(h.frame) - int(v.Live()); behind < delay || behind > delay+5 {
				t.Fatalf("it is %d frames behind, and is to be %d", behind, delay)
			}
		}
		want(t, "visible", h.audience.visible(), h.frame-uint32(delay))
		h.playing = false
		e := End{Frames: h.frame, Hash: 1, Chain: 2}
		h.audience.Finish(e)
		if err := h.audience.Frame(hallFrame(h.frame)); err != nil || h.audience.shown() != h.frame {
			t.Errorf("a frame comes behind the end: %v", err)
		}
		h.run(300 * time.Millisecond)
		if v.end == nil || *v.end != e || v.at != h.frame {
			t.Errorf("the end is %v, after frame %d", v.end, v.at)
		}
	}
	h := newHall(t, Config{Max: 4, Delay: 100})
	v := h.enter(1, nil)
	h.run(time.Second)
	if v.frames > 0 || !v.Attached() || h.audience.visible() != 0 {
		t.Errorf("it has %d frames", v.frames)
	}
}

// Rule: frames come at once, of live ones those of 50 ms together.
func TestFramesComeTogether(t *testing.T) {
	h := newHall(t, Config{Max: 4, Token: hallToken})
	v, w := h.enter(1, nil), h.enter(2, seat(1, 5))
	h.run(2 * time.Second)
	before, frames, seated := h.audience.guestAt(v.addr).pipe.Transmitted, v.frames, w.frames
	h.run(3 * time.Second)
	if n := h.audience.guestAt(v.addr).pipe.Transmitted - before; n < 55 || n > 65 {
		t.Errorf("%d datagrams in 3 s", n)
	}
	if v.frames-frames < 175 || w.frames-seated < 178 {
		t.Errorf("%d and %d frames in 3 s", v.frames-frames, w.frames-seated)
	}
}

// Rule: who comes gets all frames of a match that is young, and else a state that is not
// older than 2 s, which is encoded once for all who come then.
func TestWhoComesGetsAStateOrFrames(t *testing.T) {
	for _, c := range []struct {
		after  time.Duration
		states int
	}{{1900 * time.Millisecond, 0}, {2100 * time.Millisecond, 1}} {
		h := newHall(t, Config{Max: 4})
		h.run(c.after)
		v := h.enter(1, nil)
		h.run(500 * time.Millisecond)
		want(t, "states", len(v.states), c.states)
		want(t, "encoded", h.audience.Stats().States, uint64(c.states))
		want(t, "there", h.frame-v.at <= 5, true)
	}
	h := newHall(t, Config{Max: 8})
	h.run(5 * time.Second)
	for i := range byte(8) {
		v := h.enter(i, nil)
		h.run(900 * time.Millisecond)
		want(t, "states", len(v.states), 1)
	}
	if n := h.audience.Stats().States; n < 3 || n > 4 {
		t.Errorf("%d states for 7 s of newcomers", n)
	}
	h.run(11 * time.Second)
	if s := h.audience.Stats(); s.Held != 0 || s.Guests != 8 {
		t.Errorf("%+v", s)
	}
}

// Rule: a game that cannot encode its state is sent from the beginning, and all of it is held.
func TestAGameWithoutStates(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.state = 0
	h.run(20 * time.Second)
	v := h.enter(1, nil)
	h.run(time.Second)
	want(t, "frames", v.frames > 1200, true)
	want(t, "items", fmt.Sprint(v.items), "[match 1]")
	want(t, "held from", h.audience.log.First(), 0)
	want(t, "states", h.audience.Stats().States, 0)
}

// Rule: frames that nobody needs are forgotten: those from 30 s before what is visible on are
// held, and those that a guest or a state needs.
func TestOldFramesAreForgotten(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.run(40 * time.Second)
	if first := h.audience.log.First(); h.frame-first < 1800 || h.frame-first > 1800+64 {
		t.Errorf("frames from %d on are held, and %d is the newest", first, h.frame)
	}
	h.frame, h.playing = 0, true
	h.now = 0
	for _, a := range []*Audience{h.audience} {
		if err := a.Begin(&datagram.Offer{Match: 2}); err != nil {
			t.Fatal(err)
		}
		want(t, "frames of the next match", a.log.Next()+a.seen+uint32(len(a.states)), 0)
		want(t, "match", a.Match(), 2)
	}
	d := newHall(t, Config{Max: 4, Delay: 600})
	d.run(60 * time.Second)
	if first := d.audience.log.First(); d.frame-first < 600+1800 || d.frame-first > 600+1800+64+300 {
		t.Errorf("frames from %d on are held, and %d is the newest", first, d.frame)
	}
}

// Rule: where spectators are kept behind, states are encoded in advance, every half of the
// delay, and the newest that they may see is there.
func TestStatesAreTakenInAdvance(t *testing.T) {
	for _, delay := range []uint32{60, 128, 600} {
		h := newHall(t, Config{Max: 4, Delay: int(delay)})
		h.run(12 * time.Second)
		for range 200 {
			h.run(40 * time.Millisecond)
			visible := h.frame - delay
			s := h.audience.newest(visible)
			every := max(delay/2, 64)
			if s == nil || s.frame > visible || visible-s.frame > every+2 {
				t.Fatalf("delay %d: frame %d is visible, and the state is %+v", delay, visible, s)
			}
			states := h.audience.states
			for i := 1; i < len(states); i++ {
				if gap := states[i].frame - states[i-1].frame; gap < every || gap > every+2 {
					t.Fatalf("delay %d: a state %d frames after another one", delay, gap)
				}
			}
			if len(states) > 1 && states[1].frame <= visible {
				t.Fatalf("delay %d: a state is held that another one has taken the place of", delay)
			}
		}
		taken := h.audience.Stats().States
		h.audience.Finish(End{Frames: h.frame})
		h.playing = false
		h.run(5 * time.Second)
		want(t, "states after the end", h.audience.Stats().States, taken)
	}
}

// Rule: a state that cannot be encoded is tried again a second later, and whoever needs it is
// told why.
func TestAStateThatCannotBeEncoded(t *testing.T) {
	h := newHall(t, Config{Max: 4, LogBytes: 64 << 10})
	h.fails = errors.New("no memory")
	h.run(200 * time.Second) // the log begins later
	if h.audience.log.First() == 0 {
		t.Fatal("all frames are held")
	}
	v := h.enter(1, nil)
	h.run(100 * time.Millisecond)
	if len(v.lost) != 1 || v.lost[0].Error() != "it says: its state cannot be sent: no memory" {
		t.Errorf("%v", v.lost)
	}
	tried := h.encoded
	h.run(800 * time.Millisecond)
	want(t, "tried within a second", h.encoded, tried)
	h.fails = nil
	h.run(800 * time.Millisecond)
	want(t, "then it is there", len(v.states), 1)
}

// Rule: at most six states are held. With more who take them slowly, the oldest goes, and who
// was sent it gets another one; not more often than every 10 s.
func TestStatesAreBounded(t *testing.T) {
	h := newHall(t, Config{Max: 32, Rate: minRate})
	h.state = 200_000
	h.run(5 * time.Second)
	last, count := time.Duration(0), uint64(0)
	for i := range byte(20) {
		h.enter(i, nil)
		for range 25 {
			h.run(100 * time.Millisecond)
			if n := h.audience.Stats().States; n > count {
				if count >= maxStates && h.now-last < 10*time.Second {
					t.Fatalf("state %d comes %v after the one before", n, h.now-last)
				}
				last, count = h.now, n
			}
		}
	}
	if s := h.audience.Stats(); s.Held != 6 || s.States < 8 {
		t.Errorf("%+v", s)
	}
}

// Rule: who comes while a match is set up waits for it; a host whose match has begun later
// shows it from there on.
func TestAMatchThatBeginsLater(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.playing = false
	h.audience = NewAudience(h.audience.cfg, h, hallShape, hallPeriod, counting(5), &h.out)
	want(t, "match", h.audience.Match(), 0)
	h.audience.Finish(End{}) // of nothing
	if err := h.audience.Frame(hallFrame(0)); err != nil {
		t.Fatal(err)
	}
	v := h.enter(1, nil)
	h.run(2 * time.Second)
	want(t, "it is in", v.Attached(), true)
	want(t, "items", len(v.items), 0)
	if err := h.audience.BeginAt(&datagram.Offer{Match: 7}, 130); err != nil {
		t.Fatal(err)
	}
	want(t, "match", h.audience.Match(), 7)
	h.frame = 130
	for range 600 {
		if err := h.audience.Frame(hallFrame(h.frame)); err != nil {
			t.Fatal(err)
		}
		h.frame++
		h.run(16 * time.Millisecond)
	}
	want(t, "items", fmt.Sprint(v.items), "[match 7 state]")
	if v.states[0] < 130 || h.frame-v.at > 5 {
		t.Errorf("from state %d on, frame %d of %d", v.states[0], v.at, h.frame)
	}
	w := newHall(t, Config{Max: 4}).enter(1, nil)
	a := h.audience
	a.Close("no match any more")
	h.run(time.Second)
	want(t, "why", v.reason(), "no match any more")
	_ = w
}

// Rule: a host without a match that closes says so to those who wait.
func TestAHostThatClosesWithoutAMatch(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.playing, h.audience.offer = false, nil
	v := h.enter(1, nil)
	h.run(time.Second)
	h.audience.Close(strings.Repeat("x", 300))
	h.run(time.Second)
	if len(v.lost) != 1 || v.lost[0].Error() != "it says: "+strings.Repeat("x", 256) {
		t.Errorf("%v", v.lost)
	}
	want(t, "done", h.audience.Done(), true)
}

// Rule: a spectator that is silent for Timeout has gone; until then it has its place.
func TestASilentSpectatorGoes(t *testing.T) {
	h := newHall(t, Config{Max: 1, Timeout: 3 * time.Second})
	v := h.enter(1, nil)
	h.run(time.Second)
	v.away = true
	h.run(2900 * time.Millisecond)
	want(t, "guests", h.audience.Stats().Guests, 1)
	h.run(200 * time.Millisecond)
	want(t, "guests then", h.audience.Stats().Guests, 0)
	want(t, "why", h.news[len(h.news)-1].Why, "silent")
}

// Rule: after exactly Timeout a spectator is still there.
func TestTheLastMomentOfASilentSpectator(t *testing.T) {
	h := newHall(t, Config{Max: 1, Timeout: 3 * time.Second})
	h.enter(1, nil)
	h.run(time.Second)
	heard := h.audience.guests[0].pipe.Heard
	h.audience.Update(heard + 3*time.Second)
	want(t, "guests", h.audience.Stats().Guests, 1)
	h.audience.Update(heard + 3*time.Second + 1)
	want(t, "guests then", h.audience.Stats().Guests, 0)
}

// Rule: a match that is 2 s old is sent from its beginning; with a frame more, a state is.
func TestHowYoungAMatchMayBe(t *testing.T) {
	for _, more := range []uint32{0, 1} {
		h := newHall(t, Config{Max: 1})
		for n := range h.audience.spans.fresh + more {
			if err := h.audience.Frame(hallFrame(n)); err != nil {
				t.Fatal(err)
			}
			h.frame++
		}
		m, why := h.audience.place(&guest{}, nil)
		if why != "" || len(m) == 0 || (m[0] == messageState) != (more > 0) {
			t.Errorf("%d frames: % x, %s", h.frame, m, why)
		}
	}
}

// Rule: who has come measures the way by the Hello that was answered.
func TestTheFirstRoundTrip(t *testing.T) {
	h := newHall(t, Config{Max: 1})
	h.run(5 * time.Second)
	v := h.enter(1, nil)
	for range 10 {
		if h.run(4 * time.Millisecond); v.pipe != nil {
			break
		}
	}
	if r := v.pipe.RoundTrip; r.Samples < 1 || r.Smoothed > 8*time.Millisecond {
		t.Errorf("%+v", r)
	}
	want(t, "the most bytes of a state", v.cfg.MaxState, 64<<20)
}

// Rule: a host that does not follow the protocol is left for good, and a guest that does not
// is sent away.
func TestWhoBreaksTheProtocol(t *testing.T) {
	h := newHall(t, Config{Max: 1})
	v := h.enter(1, nil)
	h.run(time.Second)
	g := h.audience.guests[0]
	header := datagram.Header{Sequence: 200, HasPlay: true}
	body := header.Append(nil, datagram.Shape{})
	toViewer := datagram.KeyOf(v.search.theirs, v.search.nonce).Seal(append([]byte(nil), body...), 0, 200)
	v.Receive(h.now, hostAddr, toViewer)
	if len(v.News()) != 1 || v.pipe != nil || !v.search.final[0] {
		t.Errorf("%v", v.search.reasons)
	}
	toHost := datagram.KeyOf(g.nonce, v.search.theirs).Seal(body, 0, 200)
	h.audience.Receive(h.now, v.addr, toHost)
	if !strings.HasPrefix(g.gone, "it does not follow the protocol: ") {
		t.Errorf("%q", g.gone)
	}
}

// Rule: somebody else at a spectator's address takes its place once it has been silent for a
// second.
func TestAnotherOneAtTheSameAddress(t *testing.T) {
	h := newHall(t, Config{Max: 2, MaxPerAddress: 1})
	first := h.enter(1, nil)
	h.run(time.Second)
	first.away = true
	h.run(100 * time.Millisecond)
	second := h.bring(2, visitorConfig(2))
	second.addr = first.addr
	h.run(700 * time.Millisecond)
	want(t, "too early", second.Attached(), false)
	h.run(400 * time.Millisecond)
	want(t, "then", second.Attached(), true)
	want(t, "guests", h.audience.Stats().Guests, 1)
	want(t, "why", h.news[1].Why, "another one has come from its address")
	third := h.enter(3, nil)
	third.addr = netip.AddrPortFrom(first.addr.Addr(), 1)
	h.run(time.Second)
	want(t, "from the same address", third.reason(), "there is no room for another spectator from this address")
}

// Rule: what does not follow the protocol is the end of a guest, and strangers are nothing.
func TestWhatAGuestMaySay(t *testing.T) {
	request := (&request{}).append(nil)
	for name, c := range map[string]struct {
		said [][]byte
		want string
	}{
		"a request":        {[][]byte{request}, ""},
		"two requests":     {[][]byte{request, request}, "it does not follow the protocol"},
		"half a request":   {[][]byte{request[:20]}, "its request: "},
		"farewell":         {[][]byte{request, {messageBye}}, "it has left"},
		"what hosts say":   {[][]byte{request, {messageEnd}}, "it does not follow the protocol"},
		"of a newcomer":    {[][]byte{request, {messageSeat, 1}}, ""},
		"nothing of it":    {[][]byte{request, {messageSeat}}, "it does not follow the protocol"},
		"the longest":      {[][]byte{request, append([]byte{messageSeat}, make([]byte, 1024)...)}, ""},
		"a longer message": {[][]byte{request, append([]byte{messageSeat}, make([]byte, 1025)...)}, "it does not follow the protocol"},
	} {
		h := newHall(t, Config{Max: 1, Token: hallToken})
		r := h.attach(netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 2, 1}), 5), 9, 1, 7)
		for _, b := range c.said {
			h.say(r, b)
			for range 10 {
				h.now += time.Second / 60
				h.audience.Receive(h.now, r.addr, r.pipe.Append(nil, h.now)) // what had no room
				h.audience.Update(h.now)
				for _, b := range h.out.All() {
					_, _ = r.pipe.Receive(h.now, b)
				}
			}
		}
		h.audience.Update(h.now)
		why := ""
		for _, n := range h.audience.News() {
			if !n.Joined {
				why = n.Why
			}
		}
		if !strings.HasPrefix(why, c.want) || (why == "") != (c.want == "") {
			t.Errorf("%s: %q", name, why)
		}
	}
	h := newHall(t, Config{Max: 1})
	from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 2, 2}), 5)
	for _, b := range [][]byte{nil, {0x80}, {datagram.KindWatch}, {datagram.KindAttach}} {
		want(t, "a stranger is heard", h.audience.Receive(h.now, from, b), false)
	}
	hello := datagram.Hello{Watch: true, Version: datagram.Version, Nonce: 3, Attempt: 5}.Append(nil)
	want(t, "a Hello is", h.audience.Receive(time.Second, from, hello), true)
	for to, b := range h.out.All() {
		body, _ := datagram.Key(3).Open(b, 0)
		w, err := datagram.ConsumeWelcome(body)
		if to != from || err != nil || w.Version != datagram.Version || w.Attempt != 5 || w.Items.Game != "hall" || len(b) > len(hello) {
			t.Errorf("%v: %+v", err, w)
		}
	}
	h.audience.Close("")
	want(t, "a Hello is heard, but not answered", h.audience.Receive(2*time.Second, from, hello), true)
	want(t, "answers", h.out.Len(), 0)
}

// Rule: a Welcome is good in its interval of 10 s, and in the next one.
func TestHowLongAWelcomeIsGood(t *testing.T) {
	for _, c := range []struct {
		welcomed, attached time.Duration
		want               bool
	}{
		{10 * time.Second, 29999 * time.Millisecond, true},
		{10 * time.Second, 30 * time.Second, false},
		{19999 * time.Millisecond, 29999 * time.Millisecond, true},
		{19999 * time.Millisecond, 30 * time.Second, false},
		{5 * time.Second, 5 * time.Second, true},
	} {
		h := newHall(t, Config{Max: 1})
		from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 2, 2}), 5)
		h.audience.Receive(c.welcomed, from, datagram.Hello{Watch: true, Version: datagram.Version, Nonce: 3}.Append(nil))
		for _, b := range h.out.All() {
			body, _ := datagram.Key(3).Open(b, 0)
			w, _ := datagram.ConsumeWelcome(body)
			attach := datagram.KeyOf(3, w.Nonce).Seal(datagram.Attach{Nonce: 3}.Append(nil), 0, 0)
			if got := h.audience.Receive(c.attached, from, attach); got != c.want || (h.audience.Stats().Guests == 1) != c.want {
				t.Errorf("%+v: %v", c, got)
			}
		}
	}
}

// Rule: no more datagrams wait than have room, whoever asks; what had no room is sent later.
func TestTheOutboxIsBounded(t *testing.T) {
	h := newHall(t, Config{Max: 8})
	h.run(5 * time.Second)
	for i := range byte(8) {
		h.enter(i, nil)
	}
	h.run(time.Second)
	to := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 9, 9}), 1)
	for h.out.Len() < MaxOutgoing {
		h.out.Seal(append(h.out.Bytes, 0), to)
	}
	for range 100 {
		h.now += 4 * time.Millisecond
		h.play()
		h.audience.Update(h.now)
		h.stranger(datagram.Hello{Watch: true, Version: datagram.Version, Nonce: 3}.Append(nil)[:0])
		h.audience.Receive(h.now, to, datagram.Hello{Watch: true, Version: datagram.Version, Nonce: 3}.Append(nil))
		for h.out.Len() < MaxOutgoing {
			h.out.Seal(append(h.out.Bytes, 0), to)
		}
		want(t, "datagrams", h.out.Len(), MaxOutgoing)
		if h.now > 6200*time.Millisecond {
			break
		}
	}
	for range h.out.All() {
	}
	h.run(time.Second)
	for _, v := range h.visitors {
		if h.frame-v.at > 5 {
			t.Errorf("it is %d frames behind", h.frame-v.at)
		}
	}
}

// Rule: the host says when it is to be called again: when something is due, and within a
// second at the latest.
func TestWhenTheHostIsCalledAgain(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.playing = false
	want(t, "nobody is there", h.audience.Update(time.Minute), time.Minute+time.Second)
	h.now = time.Minute
	h.enter(1, nil)
	h.run(time.Second)
	g := h.audience.guests[0]
	now := g.pipe.Sent + time.Millisecond
	if next := h.audience.Update(now); next > g.pipe.Sent+pipe.KeepAlive || next <= now {
		t.Errorf("at %v it is %v, and a sign of life is due at %v", now, next, g.pipe.Sent+pipe.KeepAlive)
	}
	g.state = &state{} // it is brought up to date: not before there may be room
	if err := g.pipe.Channel.Send([]byte("x")); err != nil {
		t.Fatal(err)
	}
	h.audience.now = now
	want(t, "then", h.audience.next(), now+8*time.Millisecond)
}

// Rule: what is told of those who come and go is bounded, and forgotten once it was taken.
func TestNewsIsBounded(t *testing.T) {
	a := newHall(t, Config{Max: 4}).audience
	for range 200 {
		a.tell(News{})
	}
	want(t, "news", len(a.News()), 2*(MaxGuests+MaxSeats))
	want(t, "once more", len(a.News()), 0)
}

// Rule: all that is counted.
func TestWhatIsCounted(t *testing.T) {
	h := newHall(t, Config{Max: 2, Token: hallToken})
	v := h.enter(1, nil)
	h.enter(2, seat(1, 5))
	h.enter(3, nil)
	h.enter(4, nil).addr = side(7, 7)
	h.run(5 * time.Second)
	sent, size := uint64(0), uint64(0)
	h.tap = func(from, to netip.AddrPort, b []byte) bool {
		if from == h.addr && b[0] != datagram.KindWelcome {
			sent, size = sent+1, size+uint64(len(b))
		}
		return true
	}
	before, traffic := h.audience.Stats(), v.Traffic()
	h.run(time.Second)
	s := h.audience.Stats()
	if s.Guests != 2 || s.Seats != 1 || s.Leaving != 0 || s.Log != h.audience.log.Size() || s.Log == 0 || s.Refused == 0 {
		t.Errorf("%+v", s)
	}
	if refused := s.Refused - before.Refused; s.Datagrams-before.Datagrams+refused != sent || s.Bytes-before.Bytes > size {
		t.Errorf("%d datagrams of %d bytes, in the books %d and %d", sent, size, s.Datagrams-before.Datagrams, s.Bytes-before.Bytes)
	}
	now := v.Traffic()
	if now.Sent <= traffic.Sent || now.Received <= traffic.Received || now.SentBytes < 10*(now.Sent-traffic.Sent) || now.Strangers != 0 {
		t.Errorf("%+v, and then %+v", traffic, now)
	}
	v.Receive(h.now, side(1, 1), []byte{0x80})
	v.Receive(h.now, h.addr, nil)
	v.Receive(h.now, h.addr, []byte{1})
	want(t, "strangers", v.Traffic().Strangers, 3)
	h.visitors[1].away = true
	h.audience.Unseat(5, "")
	h.audience.Update(h.now)
	if s := h.audience.Stats(); s.Seats != 1 || len(h.seats()) != 1 {
		t.Errorf("%+v", s)
	}
	w := h.audience.guestAt(v.addr)
	h.audience.dismiss(w, "x")
	want(t, "leaving", h.audience.Stats().Leaving, 1)
	w.gone = "x"
	want(t, "gone", h.audience.Stats().Leaving, 0)
	if !slices.ContainsFunc(h.news, func(n News) bool { return n.Addr == v.addr && n.Joined && n.Seat == Seated{} }) {
		t.Errorf("%+v", h.news)
	}
}
