package spectate

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// Rule: a newcomer that knows the token and is admitted gets in, and the host knows its
// players and its address; it sees everything agreed, and gets the member list.
func TestANewcomerIsLetInWithTheToken(t *testing.T) {
	h := newHall(t, Config{}, hallToken)
	h.run(5 * time.Second)
	v := h.enter(1, seat(0b0110, 77))
	h.run(time.Second)
	want(t, "seats", fmt.Sprint(h.seats()), fmt.Sprint([]Newcomer{{0b0110, 77, v.addr}}))
	want(t, "asked", fmt.Sprint(h.asked), fmt.Sprint([]admitted{{0b0110, 77, v.addr}}))
	want(t, "news", fmt.Sprint(h.news), fmt.Sprint([]News{{Addr: v.addr, Joined: true, Newcomer: Newcomer{0b0110, 77, v.addr}}}))
	want(t, "states", len(v.states), 1)
	for range 60 {
		h.run(4 * time.Millisecond)
		if behind := h.frame - v.Live(); behind > 1 {
			t.Fatalf("it is %d frames behind", behind)
		}
	}
	if s := h.audience.Stats(); s.Spectators != 0 || s.Newcomers != 1 || s.Refused != 0 {
		t.Errorf("%+v", s)
	}
	for _, roll := range []string{"a", "b", "c"} {
		h.audience.SendMemberList(77, []byte(roll))
		h.run(200 * time.Millisecond)
	}
	want(t, "rolls", strings.Join(v.rolls, ""), "abc")
}

// Rule: without the token, with another one, or at a host that has none, a newcomer is not
// admitted and learns why; the source is not asked.
func TestNobodyIsLetInWithoutTheToken(t *testing.T) {
	other := seat(1, 5)
	other.Token = []byte("another sixteen.")
	for _, c := range []struct {
		name  string
		cfg   Config
		token []byte
		seat  *JoinRequest
		why   string
	}{
		{"another token", Config{}, hallToken, other, "the token is not that of the match"},
		{"no token here", Config{Max: 4}, nil, seat(1, 5), "nobody can join here"},
		{"to watch", Config{}, hallToken, nil, "there is no room for another spectator"},
	} {
		h := newHall(t, c.cfg, c.token)
		v := h.enter(1, c.seat)
		h.run(2 * time.Second)
		want(t, c.name, v.reason(), c.why)
		want(t, c.name+": it is not in", v.Attached(), false)
		want(t, c.name+": asked", len(h.asked), 0)
		want(t, c.name+": seats", len(h.seats()), 0)
		if s := h.audience.Stats(); s.Refused < 2 || s.Spectators != 0 {
			t.Errorf("%s: %+v", c.name, s)
		}
		h.run(3 * time.Second)
		var none *HostsError
		if !errors.As(v.Err(), &none) {
			t.Errorf("%s: it has not given up: %v", c.name, v.Err())
		}
	}
}

// Rule: a newcomer that the source refuses learns why; the source is asked once per
// attempt, however often its Attach arrives.
func TestTheSourceDecides(t *testing.T) {
	h := newHall(t, Config{}, hallToken)
	taken := map[uint16]uint64{}
	h.admit = func(players uint16, id uint64) string {
		for p, by := range taken {
			if p&players != 0 && by != id {
				return fmt.Sprintf("player %d is taken", p)
			}
		}
		taken[players] = id
		return ""
	}
	first, second, third := h.enter(1, seat(1, 10)), h.enter(2, seat(1, 20)), h.enter(3, seat(2, 30))
	h.run(200 * time.Millisecond)
	want(t, "asked", len(h.asked), 3)
	h.run(time.Second)
	want(t, "the first is in", first.Attached(), true)
	want(t, "the second is not", second.Attached(), false)
	want(t, "because", second.reason(), "player 1 is taken")
	want(t, "which its owner learns once, however often it asks", len(second.lost), 1)
	want(t, "with the reason", second.lost[0].Error(), "it says: player 1 is taken")
	want(t, "the third is in", third.Attached(), true)
	want(t, "seats", len(h.seats()), 2)
	first.Leave()
	delete(taken, 1)
	h.run(time.Second)
	want(t, "then the second is in", second.Attached(), true)
	want(t, "with its seat", h.seats()[1].ID, 20)
}

// Rule: an Attach is useless at another address, or for anything but its purpose; sent
// again from its own address, it changes nothing.
func TestAnAttachForASeatIsNotForOthers(t *testing.T) {
	h := newHall(t, Config{}, hallToken)
	var attach []byte
	h.tap = func(_, to netip.AddrPort, b []byte) bool {
		if to == hostAddr && b[0] == datagram.KindAttach {
			attach = bytes.Clone(b)
		}
		return true
	}
	v := h.enter(1, seat(1, 5))
	h.run(time.Second)
	if !v.Attached() || attach == nil {
		t.Fatal("it is not in")
	}
	for _, from := range []netip.AddrPort{
		netip.AddrPortFrom(v.addr.Addr(), 1), netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 1, 9}), 9000),
	} {
		if h.audience.Receive(h.now, from, attach) || h.out.Len() > 0 {
			t.Errorf("from %v it is taken, or answered", from)
		}
	}
	for i := range attach {
		b := bytes.Clone(attach)
		b[i] ^= 4
		if h.audience.Receive(h.now, v.addr, b) {
			t.Errorf("with another byte %d it is taken", i)
		}
	}
	want(t, "again", h.audience.Receive(h.now, v.addr, attach), true)
	want(t, "seats", len(h.seats()), 1)
	want(t, "asked", len(h.asked), 1)
	h.run(30 * time.Second)
	v.Leave()
	h.run(time.Second)
	if h.audience.Receive(h.now, v.addr, attach) || len(h.seats()) > 0 {
		t.Error("half a minute later it is good again")
	}
}

// A newcomer that changes its request after the Welcome has no valid proof, even with the
// right tag.
func TestTheProofBelongsToWhatIsAskedFor(t *testing.T) {
	h := newHall(t, Config{}, hallToken)
	from, nonce := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 3, 1}), 1), uint64(4)
	h.audience.Receive(h.now, from, datagram.Hello{Watch: true, Version: datagram.Version, Nonce: nonce}.Append(nil))
	var w datagram.Welcome
	for _, b := range h.out.All() {
		body, _ := datagram.Key(nonce).Open(b, 0)
		var err error
		if w, err = datagram.ConsumeWelcome(body); err != nil {
			t.Fatal(err)
		}
	}
	a := datagram.Attach{Nonce: nonce, Players: 1, ID: 3}
	a.Prove(hallToken, w.Nonce)
	a.Players = 3
	seal := func() []byte { return datagram.KeyOf(nonce, w.Nonce).Seal(a.Append(nil), 0, 0) }
	h.now = time.Second
	h.audience.Receive(h.now, from, seal())
	want(t, "refused", h.audience.Stats().Refused, 1)
	want(t, "asked", len(h.asked), 0)
	want(t, "answers", h.out.Len(), 1)
	a.Players = 1
	h.now += time.Second
	h.audience.Receive(h.now, from, seal())
	want(t, "with the same nonce, refused for good", len(h.seats()), 0)
}

// Rule: newcomers count neither as spectators nor for their address, and their number is
// limited.
func TestNewcomersAreBoundedByThemselves(t *testing.T) {
	h := newHall(t, Config{Max: 2, MaxPerAddress: 1}, hallToken)
	watcher := h.enter(100, nil)
	var all []*visitor
	for i := range byte(MaxNewcomers + 2) {
		all = append(all, h.enter(i, seat(1, uint64(i)+1)))
	}
	for _, v := range all {
		v.addr = netip.AddrPortFrom(hostAddr.Addr(), uint16(v.addr.Addr().As4()[3])+1)
	}
	h.run(2 * time.Second)
	in := 0
	for _, v := range all {
		if v.Attached() {
			in++
		} else {
			want(t, "why", v.reason(), "there is no room for another newcomer")
		}
	}
	want(t, "newcomers", in, 16)
	want(t, "the spectator is in", watcher.Attached(), true)
	neighbour := h.enter(101, nil)
	neighbour.addr = netip.AddrPortFrom(hostAddr.Addr(), 99)
	h.run(time.Second)
	want(t, "one from the address of newcomers, too", neighbour.Attached(), true)
	late := h.enter(102, nil)
	h.run(time.Second)
	want(t, "another spectator", late.reason(), "there is no room for another spectator")
	if s := h.audience.Stats(); s.Spectators != 2 || s.Newcomers != MaxNewcomers {
		t.Errorf("%+v", s)
	}
}

// Rule: the host hears when a newcomer has gone: at once if it says so, and after its
// time-out if it does not.
func TestTheHostHearsWhenANewcomerHasGone(t *testing.T) {
	for _, says := range []bool{true, false} {
		h := newHall(t, Config{}, hallToken)
		v := h.enter(1, seat(1, 5))
		h.run(time.Second)
		if says {
			v.Leave()
		}
		v.away = !says
		h.news = nil
		h.run(time.Second)
		want(t, "at once", len(h.news) > 0, says)
		h.run(5 * time.Second)
		if len(h.news) != 1 || h.news[0].Joined || h.news[0].Newcomer.ID != 5 || h.news[0].Why == "" || len(h.seats()) > 0 {
			t.Errorf("says %v: %+v, %v", says, h.news, h.seats())
		}
		h.audience.SendMemberList(5, []byte("x"))
	}
}

// A newcomer whose address changes is admitted from the new one once it has been silent at
// the old one; it never counts twice.
func TestANewcomerMayComeFromAnotherAddress(t *testing.T) {
	h := newHall(t, Config{}, hallToken)
	h.enter(1, seat(1, 5))
	h.run(time.Second)
	twin := h.enter(2, seat(1, 5))
	h.run(500 * time.Millisecond)
	want(t, "there is one", twin.reason(), "a newcomer with this ID is here already, from another address")
	h.visitors[0].away = true
	h.run(3 * time.Second)
	want(t, "and then the other", twin.Attached(), true)
	want(t, "seats", fmt.Sprint(h.seats()), fmt.Sprint([]Newcomer{{1, 5, twin.addr}}))
}

// An iteration over newcomers may stop at any of them.
func TestLookingMayStop(t *testing.T) {
	h := newHall(t, Config{}, hallToken)
	h.enter(1, seat(1, 5))
	h.enter(2, seat(2, 6))
	h.run(time.Second)
	for range h.audience.Newcomers() {
		break
	}
	want(t, "seats", len(h.seats()), 2)
}

// A newcomer that has gone comes back with another nonce: sending the same Attach again
// begins nothing.
func TestAnAttachCountsOnce(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	var attach []byte
	h.tap = func(from, to netip.AddrPort, b []byte) bool {
		if to == hostAddr && b[0] == datagram.KindAttach {
			attach = bytes.Clone(b)
		}
		return true
	}
	v := h.enter(1, nil)
	h.run(time.Second)
	v.away = true
	h.run(6 * time.Second)
	if n := h.audience.Stats().Spectators; n != 0 || attach == nil {
		t.Fatalf("%d guests", n)
	}
	h.audience.Receive(h.now, v.addr, attach)
	if n := h.audience.Stats().Spectators; n != 0 {
		t.Error("it is let in again")
	}
}
