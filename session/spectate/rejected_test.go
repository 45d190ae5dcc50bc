package spectate

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/wire/datagram"
)

// Rule: a match that begins again is another one if anything about it differs, and nothing about the previous one
// counts for it.
func TestAnotherMatch(t *testing.T) {
	first := datagram.Offer{Match: 1, State: 2, Seed: 3, Frames: 4, Content: 5, Data: []byte("6")}
	for name, change := range map[string]func(o *datagram.Offer){
		"": func(*datagram.Offer) {}, "match": func(o *datagram.Offer) { o.Match++ }, "state": func(o *datagram.Offer) { o.State++ },
		"seed": func(o *datagram.Offer) { o.Seed++ }, "frames": func(o *datagram.Offer) { o.Frames++ },
		"content": func(o *datagram.Offer) { o.Content++ }, "data": func(o *datagram.Offer) { o.Data = []byte("7") },
	} {
		v := NewFollower(visitorConfig(1))
		for _, b := range [][]byte{first.Append([]byte{messageBegin}), says(messageFrom, uint32(0)), saysFrames(70, 0, 70), saysEnd(70)} {
			if err := v.message(b); err != nil {
				t.Fatal(err)
			}
		}
		v.Marked(60, 59)
		o := first
		change(&o)
		b := o.Append([]byte{messageBegin})
		if err := v.message(b); err != nil {
			t.Fatal(err)
		}
		clear(b) // nothing of it is kept
		anew := name != ""
		if got := len(v.taken()); (got == 5) != anew || v.Over() == anew || (v.Live() == 0) != anew || (v.received.trust.marked+uint32(v.received.trust.chain)+v.received.next == 0) != anew {
			t.Errorf("another %s: %d items, over %v, %d frames", name, got, v.Over(), v.Live())
		}
		if anew && (v.received.offer.Match != o.Match || v.received.offer.Seed != o.Seed || !bytes.Equal(v.received.offer.Data, o.Data)) {
			t.Errorf("another %s: %+v", name, v.received.offer)
		}
	}
}

// Rule: for 5 s, a host that plays an earlier match than another host has announced is skipped; after that, the host
// that announced the later one was wrong.
func TestAHostThatIsBehind(t *testing.T) {
	v := NewFollower(visitorConfig(1))
	at := func(now time.Duration, match uint32) error {
		v.now = now
		return v.message(saysMatch(match))
	}
	if err := at(time.Second, 3); err != nil {
		t.Fatal(err)
	}
	for _, s := range []time.Duration{10, 12, 14} {
		if err := at(s*time.Second, 2); !errors.Is(err, errBehind) || err.Error() != "it is behind: it plays match 2, and we know match 3" {
			t.Errorf("at %d s: %v", s, err)
		}
	}
	if err := at(14*time.Second, 3); err != nil { // it has caught up
		t.Error(err)
	}
	for _, s := range []time.Duration{20, 24} {
		if err := at(s*time.Second, 2); !errors.Is(err, errBehind) {
			t.Errorf("at %d s: %v", s, err)
		}
	}
	if err := at(25*time.Second, 2); err != nil || v.received.match != 2 {
		t.Errorf("%v, match %d", err, v.received.match)
	}
}

// Rule: goodbyes give a reason, of which 256 bytes are used; a revoked token is final, and so is a missing one where a
// token is required.
func TestFarewells(t *testing.T) {
	long := bytes.Repeat([]byte("x"), 300)
	for _, n := range []int{0, 5, 256, 257} {
		v := NewFollower(visitorConfig(1))
		var bye *ByeError
		if err := v.message(says(messageBye, long[:n])); err != nil || !errors.As(v.search.hosts[0].reason, &bye) || len(bye.Reason) != min(n, 256) || v.Err() != nil {
			t.Errorf("%d bytes: %v, %v, %v", n, err, bye, v.Err())
		}
		for kind, revoked := range map[byte]bool{messageRevoked: true, messageUninvited: false} {
			v = NewFollower(visitorConfig(1))
			var token *admission.TokenError
			if err := v.message(says(kind, long[:n])); err != nil || !errors.As(v.Err(), &token) || len(token.Reason) != min(n, 256) || token.Revoked != revoked || !token.Missing {
				t.Errorf("%d bytes: %v, %v", n, err, v.Err())
			}
		}
	}
}

// Rule: a host has to say where its frames begin, even if the previous host has.
func TestTheNextHostSaysWhereItBegins(t *testing.T) {
	c := visitorConfig(1)
	c.Hosts = append(c.Hosts, side(1, 1))
	v := NewFollower(c)
	for _, b := range [][]byte{saysMatch(1), says(messageFrom, uint32(0)), saysFrames(5, 0, 5)} {
		if err := v.message(b); err != nil {
			t.Fatal(err)
		}
	}
	v.lose(errSilent, false)
	if err := v.message(saysFrames(9, 5, 4)); !errors.Is(err, datagram.ErrRange) {
		t.Errorf("%v", err)
	}
}

// Rule: a spectator that passes a host continues at the next one, from where that one says. One that has rejected a
// host's data starts over at the next one, or at the current one if that host was an earlier one.
func TestARejectedHost(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	second := h.open(Config{Max: 4})
	h.run(8 * time.Second)
	v := h.wander(1, nil)
	h.run(2 * time.Second)
	wrong := errors.New("the state is not what it is said to be")
	v.SkipHost(wrong, 1, v.at)
	want(t, "it is at", v.Host(), second.addr)
	h.run(time.Second)
	if len(v.lost) != 1 || v.lost[0] != wrong || h.frame-v.at > 10 || len(v.states) != 1 {
		t.Errorf("%v, %d of %d frames, states %v", v.lost, v.at, h.frame, v.states)
	}
	v.received.queue.source = 0 // only now is something of the first host found to be wrong
	v.Reject(wrong)
	want(t, "it is still at", v.Host(), second.addr)
	want(t, "and final is", fmt.Sprint(v.search.hosts[0].final, v.search.hosts[1].final), "true false")
	h.run(time.Second)
	want(t, "it begins anew", fmt.Sprint(v.items), "[match 1 state match 1 state]")
	v.Forget()
	if v.received.match != 0 || v.received.next != 0 || v.received.trust.marked != 0 || v.received.trust.chain != 0 || v.received.offer != nil || v.Front() != nil || v.Over() {
		t.Errorf("something is left: %+v", v.Follower)
	}
	v.received.queue.source = 1
	v.Reject(wrong)
	if v.Err() == nil {
		t.Error("there is no host left")
	}
}

// Rule: everything that only a host at fault has claimed is discarded; not what came before a state or from others, nor
// anything of a match that was received to its end, nor if it is impossible to go back.
func TestWhatRestsOnAHostIsGivenUp(t *testing.T) {
	const first, second = 0, 1
	for name, c := range map[string]struct {
		say  func(v *Follower, says func(host int, list ...[]byte))
		anew bool
	}{
		"nothing": {func(v *Follower, says func(int, ...[]byte)) {}, false},
		"a match": {func(v *Follower, says func(int, ...[]byte)) { says(first, saysMatch(1)) }, false},
		"frames": {func(v *Follower, says func(int, ...[]byte)) {
			says(first, saysMatch(1), saysFrom(0), saysFrames(5, 0, 5))
		}, true},
		"frames of another host": {func(v *Follower, says func(int, ...[]byte)) {
			says(second, saysMatch(1), saysFrom(0), saysFrames(5, 0, 5))
		}, false},
		"frames of both": {func(v *Follower, says func(int, ...[]byte)) {
			says(first, saysMatch(1), saysFrom(0), saysFrames(5, 0, 5))
			says(second, saysMatch(1), saysFrom(0), saysFrames(9, 0, 9))
		}, true},
		"frames before a state": {func(v *Follower, says func(int, ...[]byte)) {
			says(first, saysMatch(1), saysFrom(0), saysFrames(5, 0, 5))
			says(second, saysState(100, []byte("state"), 0), append([]byte{messageChunk}, "state"...), saysFrom(64))
		}, false},
		"frames before a match": {func(v *Follower, says func(int, ...[]byte)) {
			says(first, saysMatch(1), saysFrom(0), saysFrames(5, 0, 5))
			says(second, saysMatch(2), saysFrom(0), saysFrames(5, 0, 5))
		}, false},
		"an end that is not taken yet": {func(v *Follower, says func(int, ...[]byte)) {
			says(first, saysMatch(1), saysFrom(0), saysFrames(5, 0, 5), saysEnd(5))
		}, true},
		"an end": {func(v *Follower, says func(int, ...[]byte)) {
			says(first, saysMatch(1), saysFrom(0), saysFrames(5, 0, 5), saysEnd(5))
			v.taken()
		}, false},
		"what cannot be taken back": {func(v *Follower, says func(int, ...[]byte)) {
			says(first, saysMatch(1), saysFrom(0), saysFrames(5, 0, 5))
			v.CannotRestart()
		}, false},
	} {
		cfg := visitorConfig(1)
		cfg.Hosts = append(cfg.Hosts, side(1, 1))
		v := NewFollower(cfg)
		v.now = time.Second
		c.say(v, func(host int, list ...[]byte) {
			v.search.host, v.received.host = host, host
			for _, b := range list {
				if err := v.message(b); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
		})
		match, next := v.received.match, v.received.next
		v.search.host, v.received.host = first, first
		v.breaks(datagram.ErrKind)
		if c.anew {
			match, next = 0, 0
		}
		want(t, name+": given up", v.WasReset(), c.anew)
		want(t, name+": it is said twice", v.WasReset(), false)
		want(t, name+": match", v.received.match, match)
		want(t, name+": frame", v.received.next, next)
	}
}

// Rule: a comparison that fails is blamed on the host that has shown everything, or is made again with everything from
// that host.
func TestAComparisonThatFails(t *testing.T) {
	for name, c := range map[string]struct {
		hosts  []int // of frames, one after the other
		pinned bool
		anew   bool
	}{"one host": {hosts: []int{1}}, "two hosts": {hosts: []int{0, 1}, anew: true}, "two hosts, pinned": {hosts: []int{0, 1}, pinned: true}} {
		cfg := visitorConfig(1)
		cfg.Hosts = append(cfg.Hosts, side(1, 1))
		v := NewFollower(cfg)
		v.now = time.Second
		for i, host := range c.hosts {
			v.search.host, v.received.host = host, host
			frames := saysFrames(5, 0, 5)
			if i > 0 {
				frames = saysFrames(9, 0, 9)
			}
			for _, b := range [][]byte{saysMatch(1), saysFrom(0), frames} {
				if err := v.message(b); err != nil {
					t.Fatal(err)
				}
			}
		}
		v.taken()
		if c.pinned {
			v.CannotRestart()
		}
		want(t, name+": asked anew", v.AskAgain(datagram.ErrRange), c.anew)
		want(t, name+": given up", v.WasReset(), c.anew)
		want(t, name+": match", v.received.match == 0, c.anew)
		want(t, name+": at the same host", v.search.host, 1)
	}
}

func saysFrom(frame uint32) []byte { return says(messageFrom, frame) }
