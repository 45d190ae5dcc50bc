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
		"an old cookie":     {func(h *handshake) { h.givenAt = start.Add(-15*time.Second - 1) }, low, false},
		"the oldest cookie": {func(h *handshake) { h.givenAt = start.Add(-15 * time.Second) }, low, true},
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
	for _, c := range []struct {
		after time.Duration
		want  bool
	}{{0, true}, {0, false}, {200*time.Millisecond - 1, false}, {200 * time.Millisecond, true}, {400*time.Millisecond - 1, false}} {
		if got := h.turn(low, start.Add(c.after)); got != c.want {
			t.Errorf("after %v: %v", c.after, got)
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
	later := now.Add(time.Second)
	if h.finish(false, later) != nil || h.conn.Load() != nil || h.pending != nil || h.retry != later.Add(retryTime) {
		t.Error("one that has failed is there, or the next one may begin at once")
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

// A claim that a peer has another token is a hint as long as nobody has proved to be at its address, and for three
// seconds after that, in which the peer itself may still come.
func TestWhenAnotherTokenIsCertain(t *testing.T) {
	start := time.Now()
	var o obstacle
	if err := o.at(start); err != nil {
		t.Errorf("without any obstacle: %v", err)
	}
	o.suspect(ErrOtherToken)
	if err := o.at(start.Add(time.Hour)); err != ErrOtherToken {
		t.Errorf("without a proof: %v", err)
	}
	if !o.refuse(start) || o.refuse(start.Add(time.Second)) {
		t.Error("the first proof is not told from the next one")
	}
	for after, want := range map[time.Duration]error{0: ErrOtherToken, 3*time.Second - 1: ErrOtherToken, 3 * time.Second: errRefused} {
		if err := o.at(start.Add(after)); err != want {
			t.Errorf("%v after the proof: %v, want %v", after, err, want)
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
	third := NewIdentity().Fingerprint()
	k.trust(other.Fingerprint(), []netip.AddrPort{addr(bob)})
	k.trust(third, []netip.AddrPort{addr(carol)})
	if k.distrust(other.Fingerprint()); k.at(addr(bob)) != nil || k.at(addr(carol)) == nil {
		t.Error("with one peer another one is forgotten")
	}
	k = newKeyring(&Config{Token: tickback.NewToken()})
	if k.at(addr(bob)) != k.everybody || k.everybody == nil {
		t.Error("with a token not everybody is expected everywhere")
	}
}

// A datagram is an encrypted record if it is exactly as long as the record says, and the record contains something.
func TestWhatIsARecord(t *testing.T) {
	id := connectionID{1, 2, 3, 4}
	record := func(said, length int) []byte {
		b := append([]byte("\x19\xFE\xFD\x00\x01\x00\x00\x00\x00\x00\x07"), id[:]...)
		return append(append(b, byte(said>>8), byte(said)), make([]byte, length)...)
	}
	for _, c := range []struct {
		said, length int
		want         bool
	}{{0, 0, false}, {1, 1, true}, {300, 300, true}, {1, 0, false}, {1, 2, false}, {2, 1, false}, {0, 1, false}, {256 + 1, 1, false}} {
		if got, ok := recordID(record(c.said, c.length)); ok != c.want || ok && got != id {
			t.Errorf("a record that claims to have %d bytes, and has %d: %v, %v", c.said, c.length, got, ok)
		}
	}
	for i := range recordEpochEnd {
		b := record(1, 1)
		b[i] ^= 1
		if _, ok := recordID(b); ok {
			t.Errorf("with another byte %d it is one, too", i)
		}
	}
}

// A pair is the same for both: what one of them seals the other one opens, and each expects the certificate of the other.
func TestAPairIsTheSameForBoth(t *testing.T) {
	one, other := NewIdentity().Fingerprint(), NewIdentity().Fingerprint()
	a, b := pairOf(one, other), pairOf(other, one)
	if a.id != b.id || a.mac != b.mac || a.remote != other || b.remote != one {
		t.Errorf("%+v and %+v", a, b)
	}
	if c := pairOf(one, NewIdentity().Fingerprint()); c.id == a.id || c.mac == a.mac {
		t.Error("another pair is the same")
	}
}
