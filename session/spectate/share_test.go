package spectate

import (
	"net/netip"
	"testing"
	"time"
)

// side returns the address of a visitor from one of several networks.
func side(network, n byte) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 9, network, n}), 9000)
}

// One network that takes all places gives half of them to another one that comes later, and
// no more; a spectator that has to leave learns why, and all others see the match without a
// gap.
func TestPlacesAreSharedAmongNetworks(t *testing.T) {
	const places = 8
	h := newHall(t, Config{Max: places})
	come := func(network byte, n int) (list []*visitor) {
		for i := range n {
			v := h.enter(100*network+byte(i), nil)
			v.addr = side(network, byte(i))
			list = append(list, v)
			h.run(200 * time.Millisecond)
		}
		return list
	}
	first := come(1, places+2)
	in := func(list []*visitor) (n int) {
		for _, v := range list {
			if v.Attached() {
				n++
			}
		}
		return n
	}
	want(t, "of the first network", in(first), places)
	want(t, "one more of the same", first[places].reason(), "there is no room for another spectator")
	second := come(2, places)
	h.run(6 * time.Second)
	want(t, "of the first network, then", in(first), places/2)
	want(t, "of the second", in(second), places/2)
	want(t, "one more of the second", second[places-1].reason(), "there is no room for another spectator")
	gone := 0
	for _, n := range h.news {
		if n.Why == "its place is needed for a spectator from elsewhere" {
			gone++
		}
	}
	want(t, "sent away", gone, places/2)
	for _, v := range append(first[:places/2:places/2], second[:places/2]...) {
		if v.frames < int(h.frame)/2 {
			t.Errorf("%v has %d frames of %d", v.addr, v.frames, h.frame)
		}
	}
	want(t, "guests", h.audience.Stats().Spectators, places)
}

// When a network has to give a place back, a silent spectator goes first: it may be gone.
func TestWhoIsSilentGivesWayFirst(t *testing.T) {
	const places = 4
	h := newHall(t, Config{Max: places})
	var list []*visitor
	for i := range byte(places) {
		v := h.enter(100+i, nil)
		v.addr = side(1, i)
		list = append(list, v)
		h.run(200 * time.Millisecond)
	}
	list[1].away = true
	h.run(3 * time.Second)
	v := h.enter(200, nil)
	v.addr = side(2, 0)
	h.run(2 * time.Second)
	if !v.Attached() {
		t.Fatal("the other network has no place")
	}
	for i, w := range list {
		if i != 1 && w.reason() != "" {
			t.Errorf("spectator %d was sent away: %s", i, w.reason())
		}
	}
}

// However many networks come and are admitted, the number of spectators that are leaving is
// bounded, too.
func TestThoseWhoGiveWayAreBounded(t *testing.T) {
	h := newHall(t, Config{Max: MaxSpectators})
	for i := range MaxSpectators {
		v := h.enter(byte(i), nil)
		v.addr = side(0, byte(i))
	}
	h.run(2 * time.Second)
	want(t, "guests", h.audience.Stats().Spectators, MaxSpectators)
	for _, v := range h.visitors {
		v.away = true // datagrams to them do not arrive
	}
	for i := range 2 * MaxSpectators {
		v := h.enter(byte(100+i), nil)
		v.addr = side(byte(1+i), 1)
	}
	for range 500 {
		h.run(8 * time.Millisecond)
		if n := len(h.audience.crowd.list); n > 2*MaxSpectators {
			t.Fatalf("%d are held", n)
		}
	}
}
