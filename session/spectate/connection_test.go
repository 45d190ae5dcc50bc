package spectate

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/wire/datagram"
)

// restart ends the process of a host, and starts another one that knows nothing, with a match of this number.
func (h *hall) restart(match uint32) {
	h.Helper()
	cfg := h.audience.cfg
	h.frame, h.playing = 0, true
	h.audience = NewHost(cfg, h.token, h, hallShape, hallPeriod, admission.NewGate(counting(uint64(h.now))), &h.out)
	if err := h.audience.Begin(&datagram.Offer{Match: match, Seed: uint64(h.now)}); err != nil {
		h.Fatal(err)
	}
}

// Rule: a spectator whose only host was killed and started again learns that within half a second and a few round
// trips, whatever number the new match has, and watches that match.
func TestASpectatorOfARestartedHost(t *testing.T) {
	for _, number := range []uint32{1, 2, 3} {
		h := newHall(t, Config{Max: 4})
		h.restart(2)
		h.run(8 * time.Second)
		v := h.wander(1, nil)
		h.run(2 * time.Second)
		v.items = nil
		h.restart(number)
		h.run(600 * time.Millisecond)
		if len(v.lost) != 1 || v.lost[0] != ErrRestarted || v.found != 2 {
			t.Fatalf("match %d: %v, %d found", number, v.lost, v.found)
		}
		h.run(400 * time.Millisecond)
		want(t, "it watches", v.received.match, number)
		if got := fmt.Sprint(v.items); !strings.HasPrefix(got, fmt.Sprintf("[match %d", number)) {
			t.Errorf("match %d: %s", number, got)
		}
		if h.frame-v.at > 10 {
			t.Errorf("match %d: it is at %d of %d", number, v.at, h.frame)
		}
	}
}

// Rule: so does one whose host was silent until it was given up, and then comes back as another process, whatever has
// happened to its match, even if the new one has the same parameters: it continues with what the new process sends.
func TestASpectatorOfAHostThatComesBackAnew(t *testing.T) {
	for watched, first := range map[time.Duration]string{300 * time.Millisecond: "[match 1", 2 * time.Second: "[state", 8 * time.Second: "[state"} {
		h := newHall(t, Config{Max: 4})
		offer := datagram.Offer{Match: 1, Seed: 7}
		begin := func() {
			h.frame, h.playing = 0, true
			h.audience = NewHost(h.audience.cfg, h.token, h, hallShape, hallPeriod, admission.NewGate(counting(uint64(h.now))), &h.out)
			if err := h.audience.Begin(&offer); err != nil {
				t.Fatal(err)
			}
		}
		begin()
		v := h.wander(1, nil)
		h.run(watched)
		h.tap = func(from, to netip.AddrPort, _ []byte) bool { return from != h.addr && to != h.addr }
		h.run(3 * time.Second)
		if len(v.lost) != 1 || errors.Is(v.lost[0], ErrRestarted) {
			t.Fatalf("after %v: %v", watched, v.lost)
		}
		v.items, h.tap = nil, nil
		begin()
		h.run(time.Second)
		if got := fmt.Sprint(v.items); v.Err() != nil || !strings.HasPrefix(got, first) || h.frame-v.at > 10 {
			t.Errorf("after %v: %v, at %d of %d: %s", watched, v.Err(), v.at, h.frame, got)
		}
	}
}

// Rule: if another host continues the match, a spectator continues there, and nothing is missing.
func TestARestartedHostAmongOthers(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	second := h.open(Config{Max: 4})
	h.run(8 * time.Second)
	v := h.wander(1, nil)
	h.run(2 * time.Second)
	v.items = nil
	h.restart(1)
	h.run(600 * time.Millisecond)
	if len(v.lost) != 1 || v.lost[0] != ErrRestarted || len(v.items) != 0 {
		t.Errorf("%v, %v", v.lost, v.items)
	}
	want(t, "it is at", v.Host(), second.addr)
	if second.frame-v.at > 10 {
		t.Errorf("it is at %d of %d", v.at, second.frame)
	}
}

// Rule: if the host that was started again shows nothing, the error names both reasons.
func TestARestartedHostThatShowsNothing(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.run(8 * time.Second)
	v := h.wander(1, nil)
	h.run(2 * time.Second)
	h.restart(1)
	h.tap = func(from, _ netip.AddrPort, b []byte) bool {
		return from != h.addr || b[0] == datagram.KindWelcome && v.connection.query != 0
	}
	h.run(15 * time.Second)
	var nobody *HostsError
	if !errors.As(v.Err(), &nobody) || !errors.Is(v.Err(), ErrRestarted) {
		t.Errorf("%v", v.Err())
	}
	want(t, "it says", nobody.Why[0].Error(), "it was started again, and then: it does not answer")
}

// Rule: an attacker who does not see the traffic cannot cause a host to be given up, with a Welcome whose tag uses
// another nonce than that of the query, or one that was seen before. A host that is only silent does not count as
// another one either.
func TestNobodyCanForgeARestartOfAHost(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.run(8 * time.Second)
	var seen [][]byte
	silent := false
	h.tap = func(from, to netip.AddrPort, b []byte) bool {
		if b[0] == datagram.KindWelcome {
			seen = append(seen, bytes.Clone(b))
		}
		return !silent || !datagram.IsWatch(b)
	}
	v := h.wander(1, nil)
	h.run(2 * time.Second)
	silent = true
	for range 36 {
		for n := range uint64(20) {
			w := datagram.Welcome{Version: datagram.Version, Nonce: n, Attempt: byte(n), Run: n + 1, Items: h.Items()}
			v.Receive(h.now, h.addr, datagram.Key(n).Seal(w.Append(nil), 0, 0))
		}
		for _, b := range seen {
			v.Receive(h.now, h.addr, b)
		}
		h.run(50 * time.Millisecond)
	}
	silent = false
	h.run(time.Second)
	if len(v.lost) != 0 || v.Err() != nil || h.frame-v.at > 10 {
		t.Errorf("%v, %v, at %d of %d", v.lost, v.Err(), v.at, h.frame)
	}
	if len(seen) < 5 {
		t.Errorf("it has asked %d times", len(seen))
	}
}
