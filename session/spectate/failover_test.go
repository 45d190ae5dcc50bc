package spectate

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// wander brings in a spectator who knows of all hosts.
func (h *hall) wander(n byte, change func(c *ViewerConfig)) *visitor {
	c := visitorConfig(n)
	c.Hosts = nil
	for _, o := range h.hosts() {
		c.Hosts = append(c.Hosts, o.addr)
	}
	c.Timeout = 10 * time.Second
	if change != nil {
		change(&c)
	}
	return h.bring(n, c)
}

// Rule: if a host falls silent, a spectator goes on at another one where it was, and tells
// whom it has lost and found. Nothing is missing, nothing comes twice.
func TestASpectatorGoesOnAtAnotherHost(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	second := h.open(Config{Max: 4})
	h.run(8 * time.Second)
	v := h.wander(1, nil)
	h.run(3 * time.Second)
	want(t, "it has come to", v.Host(), h.addr)
	want(t, "items", fmt.Sprint(v.items), "[match 1 state]")
	states := len(v.states)
	h.down = true
	h.run(1900 * time.Millisecond)
	want(t, "lost, after less than Drop", len(v.lost), 0)
	h.run(400 * time.Millisecond)
	if len(v.lost) != 1 || v.lost[0].Error() != "it is silent" || v.found != 2 {
		t.Fatalf("%v, %d found", v.lost, v.found)
	}
	want(t, "it is at", v.Host(), second.addr)
	h.run(time.Second)
	want(t, "items", fmt.Sprint(v.items), "[match 1 state]")
	want(t, "states", len(v.states), states)
	if behind := h.frame - v.at; behind > 10 {
		t.Errorf("it is %d frames behind", behind)
	}
	want(t, "Attached", v.Attached(), true)
	want(t, "Over", v.Over(), false)
}

// Rule: who has met no comparison yet cannot show what it has seen, and gets it again; that
// is passed over.
func TestWhoHasSeenLittleGetsItAgain(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.state = 0
	h.open(Config{Max: 4})
	v := h.wander(1, nil)
	h.run(700 * time.Millisecond)
	at := v.at
	if at == 0 || at >= 60 {
		t.Fatal(at)
	}
	h.down = true
	h.run(3 * time.Second)
	want(t, "items", fmt.Sprint(v.items), "[match 1]")
	want(t, "found", v.found, 2)
	if h.frame-v.at > 10 || v.frames < int(v.at+at) {
		t.Errorf("it has %d frames of %d, and got %d", v.at, h.frame, v.frames)
	}
}

// Rule: a spectator tells the hosts in order why there is none to watch: each that says so
// for good, or as soon as none has been heard for Timeout.
func TestWhyThereIsNoHost(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.open(Config{Max: 4})
	v := h.wander(1, func(c *ViewerConfig) { c.Timeout = 5 * time.Second })
	h.run(time.Second)
	v.away = true
	h.run(6900 * time.Millisecond) // 2 s until the first is lost
	if v.Err() != nil {
		t.Fatalf("too early: %v", v.Err())
	}
	h.run(300 * time.Millisecond)
	var none *HostsError
	if !errors.As(v.Err(), &none) || len(none.Hosts) != 2 || none.Hosts[1] != h.others[0].addr {
		t.Fatal(v.Err())
	}
	if got, wanted := v.Err().Error(), "there is no host to watch: 10.0.0.1:7000: it does not answer; 10.0.0.2:7000: it does not answer"; got != wanted {
		t.Errorf("%s", got)
	}
	want(t, "reasons", len(none.Unwrap()), 2)
	sent := v.Traffic().Sent
	h.run(2 * time.Second)
	want(t, "it goes on", v.Traffic().Sent, sent)

	w := h.wander(2, func(c *ViewerConfig) {
		c.Compare = func(host netip.AddrPort, version byte, theirs *datagram.Items) error {
			if version != datagram.Version || theirs.Game != "hall" {
				t.Errorf("version %d of %s", version, theirs.Game)
			}
			return fmt.Errorf("%v is of no use", host.Addr())
		}
	})
	h.run(2 * time.Second)
	if w.Err() == nil || w.Err().Error() != "there is no host to watch: 10.0.0.1:7000: 10.0.0.1 is of no use; 10.0.0.2:7000: 10.0.0.2 is of no use" {
		t.Error(w.Err())
	}
	want(t, "found", w.found+len(w.lost), 0)
}

// Rule: a host that closes says why when all has come; at the end of a match that is the end,
// and before it the spectator asks the others, and it again.
func TestHostsThatClose(t *testing.T) {
	for _, ends := range []bool{true, false} {
		h := newHall(t, Config{Max: 4})
		second := h.open(Config{Max: 4})
		h.run(5 * time.Second)
		v := h.wander(1, nil)
		h.run(2 * time.Second)
		e := End{Frames: h.frame, Hash: 1, Chain: 2, Result: 3, Finished: true, Gone: 4}
		for _, o := range h.hosts() {
			if o.playing = !ends; ends {
				e.Frames = o.frame
				o.audience.Finish(e)
				o.audience.Finish(End{}) // it has ended already
			}
		}
		h.audience.Close("that was it")
		want(t, "done at once", h.audience.Done(), false)
		h.run(time.Second)
		want(t, "done", h.audience.Done(), true)
		var bye *ByeError
		if len(v.lost) != 1 || !errors.As(v.lost[0], &bye) || bye.Reason != "that was it" || bye.Error() != "it says: that was it" {
			t.Fatalf("%v", v.lost)
		}
		want(t, "it is at", v.Host(), second.addr)
		want(t, "over", v.Over(), ends)
		late := h.enter(9, nil)
		h.run(time.Second)
		want(t, "who comes now gets no answer", late.Attached() || len(late.lost) > 0, false)
		if ends {
			want(t, "the end", *v.end, e)
			want(t, "it goes on", v.Err(), nil)
			second.audience.Close("that was it here")
			h.run(300 * time.Millisecond)
			want(t, "then", v.Err(), ErrEnd)
			want(t, "items", v.items[len(v.items)-1], "end")
			continue
		}
		second.audience.Close("here, too")
		h.run(8 * time.Second)
		want(t, "there may be a host again", v.Err(), nil)
		h.run(4 * time.Second)
		if v.Err() == nil || !strings.Contains(v.Err().Error(), "10.0.0.2:7000: it ") {
			t.Error(v.Err())
		}
	}
}

// Rule: Hellos go out every 50 ms, after a second every 250 ms; then small ones, too, since
// the path may carry no large ones. Each has its number, and none is answered by more than
// it has.
func TestHowAHostIsAskedFor(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	var at []time.Duration
	var sizes []int
	var numbers []byte
	h.tap = func(_, to netip.AddrPort, b []byte) bool {
		hello, err := datagram.ConsumeHello(b)
		if to == hostAddr && err == nil {
			at, sizes, numbers = append(at, h.now), append(sizes, len(b)), append(numbers, hello.Attempt)
		}
		return false
	}
	v := h.bring(1, func() ViewerConfig { c := visitorConfig(1); c.Timeout = time.Hour; return c }())
	h.run(100 * time.Second)
	for i, n := range numbers {
		want(t, "number", n, byte(i+1))
		switch small := sizes[i] == datagram.MinSize; {
		case small && (at[i] < time.Second || at[i] != at[i-1] || sizes[i-1] != datagram.MaxSize):
			t.Errorf("a small one at %v, after one of %d bytes", at[i], sizes[i-1])
		case !small && sizes[i] != datagram.MaxSize:
			t.Errorf("%d bytes", sizes[i])
		case !small && at[i] >= time.Second && i+1 < len(at) && sizes[i+1] != datagram.MinSize:
			t.Errorf("no small one at %v", at[i])
		case !small && i > 0:
			gap := at[i] - at[i-1]
			if wanted := 52 * time.Millisecond; at[i] <= time.Second && gap != wanted {
				t.Errorf("at %v after %v", at[i], gap)
			}
			if wanted := 252 * time.Millisecond; at[i] > 1300*time.Millisecond && gap != wanted {
				t.Errorf("at %v after %v", at[i], gap)
			}
		}
	}
	if len(numbers) < 600 {
		t.Errorf("%d Hellos", len(numbers))
	}
	h.tap = nil
	h.run(100 * time.Millisecond)
	if rtt, _ := v.RoundTrip(); !v.Attached() || rtt > 8*time.Millisecond {
		t.Errorf("it is not in, or the way takes %v", rtt)
	}
}

// Rule: when all hosts have failed, they are asked again after half a second.
func TestHostsAreAskedAgain(t *testing.T) {
	h := newHall(t, Config{Max: 1, Token: hallToken})
	h.enter(1, nil)
	h.run(time.Second)
	var first []time.Duration
	h.tap = func(_, to netip.AddrPort, b []byte) bool {
		if to == hostAddr && b[0] == datagram.KindWatch {
			first = append(first, h.now)
		}
		return true
	}
	v := h.bring(2, func() ViewerConfig { c := visitorConfig(2); c.Timeout = 2900 * time.Millisecond; return c }())
	v.addr = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 1, 1}), 9999) // of the same network
	h.run(3200 * time.Millisecond)
	if len(first) < 5 || v.Err() == nil {
		t.Fatalf("%v, %v", first, v.Err())
	}
	for i := 1; i < len(first); i++ {
		if gap := first[i] - first[i-1]; gap < 500*time.Millisecond || gap > 560*time.Millisecond {
			t.Errorf("again after %v", gap)
		}
	}
	want(t, "why", v.reason(), "there is no room for another spectator")
}

// Rule: a host that is there but sends nothing that is needed is left after 15 s in a match,
// and after a minute between matches, if there is another one.
func TestAHostThatSendsNothingIsLeft(t *testing.T) {
	for _, c := range []struct {
		hosts, seconds int
		lobby          bool
	}{{2, 15, false}, {2, 60, true}, {1, 0, false}} {
		h := newHall(t, Config{Max: 4})
		if c.hosts > 1 {
			o := h.open(Config{Max: 4})
			o.playing = false
		}
		h.run(time.Second)
		v := h.wander(1, nil)
		h.run(time.Second)
		h.playing = false
		if c.lobby {
			for _, o := range h.hosts() {
				o.audience.Finish(End{Frames: h.frame})
			}
			h.run(time.Second)
			want(t, "over", v.Over(), true)
		}
		began := v.useful
		h.run(time.Duration(max(c.seconds, 80))*time.Second/8*7 - time.Second)
		if c.hosts == 1 {
			want(t, "lost, though it is the only one", len(v.lost), 0)
			continue
		}
		if !c.lobby {
			if len(v.lost) == 0 || v.lost[0] != errIdle {
				t.Errorf("%v", v.lost)
			}
			continue
		}
		want(t, "lost, after less than a minute", len(v.lost) > 0, h.now-began > time.Minute)
	}
}

// Rule: that the program itself was asleep is not held against the hosts.
func TestAProgramThatWasAsleep(t *testing.T) {
	for _, asleep := range []time.Duration{500 * time.Millisecond, 20 * time.Second} {
		v := NewViewer(visitorConfig(1)) // nobody answers; Timeout is 3 s
		now := time.Duration(0)
		for ; now < 2800*time.Millisecond; now += 20 * time.Millisecond {
			v.Update(now)
			for range v.Outgoing() {
			}
		}
		now += asleep
		v.Update(now)
		want(t, "it has given up", v.Err() != nil, asleep < time.Second)
		for end := now + 400*time.Millisecond; now < end; now += 20 * time.Millisecond {
			v.Update(now)
		}
		want(t, "and then", v.Err() != nil, true)
	}
}

// Rule: a spectator that leaves says so, and the host knows at once.
func TestASpectatorThatLeaves(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	v := h.enter(1, nil)
	h.run(time.Second)
	v.Leave()
	want(t, "why", v.Err(), ErrLeft)
	h.news = nil
	h.run(100 * time.Millisecond)
	want(t, "news", fmt.Sprint(h.news), fmt.Sprint([]News{{Addr: v.addr, Why: "it has left"}}))
	want(t, "guests", h.audience.Stats().Guests, 0)
	strangers := v.Traffic().Strangers
	v.Receive(h.now, hostAddr, []byte{1, 2, 3})
	want(t, "what comes then is of nobody", v.Traffic().Strangers, strangers+1)
	NewViewer(visitorConfig(2)).Leave() // without a host, too
}
