package dtls

import (
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback"
)

// An address is that of one peer. A peer has at most four: the oldest one that is not in use makes room.
func TestThePlacesOfAPeer(t *testing.T) {
	r := newRoster()
	p, other := &peer{}, &peer{}
	r.add(p, addr("10.0.0.1:1"))
	r.add(other, addr("10.0.0.9:1"))
	if r.move(p, addr("10.0.0.9:1")) || r.at[addr("10.0.0.9:1")] != other {
		t.Error("it has taken the address of another one")
	}
	for _, a := range []string{"10.0.0.2:1", "10.0.0.3:1", "10.0.0.4:1", "10.0.0.5:1"} {
		if !r.move(p, addr(a), addr("10.0.0.1:1"), addr("10.0.0.3:1")) || r.at[addr(a)] != p {
			t.Errorf("it is not at %s", a)
		}
	}
	if r.at[addr("10.0.0.2:1")] != nil || len(r.places[p]) != maxPlaces || len(r.at) != maxPlaces+1 {
		t.Errorf("it is at %v", r.places[p])
	}
	if r.remove(p); len(r.at) != 1 || len(r.places) != 1 || len(r.list) != 1 {
		t.Errorf("when it has gone: %v", r.at)
	}
}

// An attempt is our turn if we have the lower number, a fresh cookie and a reason; after that, none begins for a while.
func TestWhoseTurnItIs(t *testing.T) {
	start := time.Now()
	low, high := instance{1}, instance{2}
	ready := func() *handshake {
		h := &handshake{theirs: high, given: cookie{1}, givenAt: start, wanted: moment{began: start}}
		h.wanted.set(start)
		return h
	}
	for what, c := range map[string]struct {
		change func(h *handshake)
		self   instance
		want   bool
	}{
		"the lower number":  {func(*handshake) {}, low, true},
		"the higher number": {func(*handshake) {}, instance{3}, false},
		"nobody is known":   {func(h *handshake) { h.theirs = instance{} }, low, false},
		"one takes place":   {func(h *handshake) { h.pending = &conn{} }, low, false},
		"an old cookie":     {func(h *handshake) { h.givenAt = start.Add(-cookieTime - 1) }, low, false},
		"it is too early":   {func(h *handshake) { h.retry = start.Add(1) }, low, false},
		"nobody wants it":   {func(h *handshake) { h.wanted = moment{} }, low, false},
	} {
		h := ready()
		c.change(h)
		if got := h.turn(c.self, start); got != c.want {
			t.Errorf("%s: %v", what, got)
		}
	}
	h := ready()
	for after, want := range []bool{true, false, true} {
		if got := h.turn(low, start.Add(time.Duration(after)*retryTime*2/3)); got != want {
			t.Errorf("at time %d: %v", after, got)
		}
	}
}

// An attempt replaces the one before, and becomes the connection if it succeeds; what it replaces has to end.
func TestWhatAnAttemptReplaces(t *testing.T) {
	now := time.Now()
	var h handshake
	one, two := &conn{opening: envelope{attempt: 1}}, &conn{opening: envelope{attempt: 2}}
	if earlier := h.begin(one, now); earlier != nil || h.attempt != 1 || h.retry != now.Add(retryTime) {
		t.Errorf("the first: %+v", &h)
	}
	if h.begin(two, now) != one || h.attempt != 2 {
		t.Error("the second does not replace the first")
	}
	if h.finish(false, now) != nil || h.conn.Load() != nil || h.pending != nil {
		t.Error("one that has failed is there")
	}
	h.begin(one, now)
	if h.finish(true, now) != nil || h.conn.Load() != one {
		t.Error("it is not the connection")
	}
	h.begin(two, now)
	if h.finish(true, now) != one || h.conn.Load() != two || h.lost(one) || !h.lost(two) || h.conn.Load() != nil {
		t.Error("the newer connection does not replace the older one")
	}
	h.begin(one, now)
	if earlier := h.proved(instance{9}, addr(bob)); earlier != one || h.pending != nil || h.attempt != 0 || h.addr != addr(bob) {
		t.Error("an attempt with the instance before goes on")
	}
}

// Records of a handshake belong to the attempt with the same number, instance, address, and the other role.
func TestWhereRecordsBelong(t *testing.T) {
	theirs, c := instance{7}, &conn{addr: addr(bob), opening: envelope{header{flags: flagClient, to: instance{7}}, 3, nil}}
	h := handshake{pending: c, theirs: theirs, attempt: 3}
	for _, e := range []struct {
		envelope
		from netip.AddrPort
		want *conn
	}{
		{envelope{header{from: theirs}, 3, nil}, addr(bob), c},
		{envelope{header{from: theirs}, 3, nil}, addr(carol), nil},
		{envelope{header{from: theirs}, 4, nil}, addr(bob), nil},
		{envelope{header{from: instance{8}}, 3, nil}, addr(bob), nil},
		{envelope{header{from: theirs, flags: flagClient}, 3, nil}, addr(bob), nil},
	} {
		if got := h.belongs(&e.envelope, e.from); got != e.want {
			t.Errorf("%+v from %v: %v", e.envelope, e.from, got != nil)
		}
	}
	for attempt, want := range map[uint32]bool{2: true, 3: true, 4: false} {
		e := envelope{header{from: theirs}, attempt, nil}
		if h.outdated(&e) != want {
			t.Errorf("attempt %d is outdated: %v", attempt, !want)
		}
	}
}

// A pair is expected at the addresses that are pinned for it, and others are not admitted there.
func TestWhoIsExpectedWhere(t *testing.T) {
	own, other := NewIdentity(), NewIdentity()
	k := newKeyring(&Config{Identity: own})
	k.trust(other.Fingerprint(), []netip.AddrPort{addr(bob)})
	p := k.at(addr(bob))
	if p == nil || !k.admits(p, addr(bob)) || !k.admits(p, addr(carol)) || k.admits(&pair{}, addr(bob)) || k.at(addr(carol)) != nil {
		t.Errorf("%+v", k)
	}
	if k.distrust(own.Fingerprint()) != nil || k.distrust(other.Fingerprint()) != p || k.at(addr(bob)) != nil {
		t.Errorf("after that: %+v", k)
	}
	k = newKeyring(&Config{Token: tickback.NewToken()})
	if k.at(addr(bob)) != k.everybody || k.everybody == nil {
		t.Error("with a token not everybody is expected everywhere")
	}
}
