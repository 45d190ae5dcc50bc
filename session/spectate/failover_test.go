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

// wander adds a spectator that knows all hosts.
func (h *hall) wander(n byte, change func(c *FollowerConfig)) *visitor {
	c := visitorConfig(n)
	c.Token = h.token
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

// Rule: if a host falls silent, a spectator continues at another one where it was, and
// reports which host it lost and which it found. Nothing is missing, and nothing comes
// twice.
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

// Rule: a spectator that has not seen a comparison yet cannot prove what it has seen. It
// gets the same frames again, and skips them.
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

// Rule: a spectator reports for each host, in order, why it cannot watch there: when the
// host refuses for good, or when none has been heard for Timeout.
func TestWhyThereIsNoHost(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.open(Config{Max: 4})
	v := h.wander(1, func(c *FollowerConfig) { c.Timeout = 5 * time.Second })
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
	if got, wanted := v.Err().Error(), "no host is left: 10.0.0.1:7000: it does not answer; 10.0.0.2:7000: it does not answer"; got != wanted {
		t.Errorf("%s", got)
	}
	want(t, "reasons", len(none.Unwrap()), 2)
	sent := v.Traffic().Sent
	h.run(2 * time.Second)
	want(t, "it goes on", v.Traffic().Sent, sent)

	w := h.wander(2, func(c *FollowerConfig) {
		c.Compare = func(host netip.AddrPort, version byte, theirs *datagram.Items) error {
			if version != datagram.Version || theirs.Game != "hall" {
				t.Errorf("version %d of %s", version, theirs.Game)
			}
			return fmt.Errorf("%v is of no use", host.Addr())
		}
	})
	h.run(2 * time.Second)
	if w.Err() == nil || w.Err().Error() != "no host lets us in: 10.0.0.1:7000: 10.0.0.1 is of no use; 10.0.0.2:7000: 10.0.0.2 is of no use" {
		t.Error(w.Err())
	}
	want(t, "found", w.found+len(w.lost), 0)
}

// Rule: a host that closes says why when everything has arrived. At the end of a match
// that is the end; before it the spectator asks the other hosts, and then this one again.
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
	want(t, "guests", h.audience.Stats().Spectators, 0)
	strangers := v.Traffic().Strangers
	v.Receive(h.now, hostAddr, []byte{1, 2, 3})
	want(t, "what comes then is of nobody", v.Traffic().Strangers, strangers+1)
	NewFollower(visitorConfig(2)).Leave() // without a host, too
}
