package capture_test

import (
	"fmt"
	"math/bits"
	"net/netip"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/rollback"
)

const never = 1<<32 - 1

// register is the state of a log, according to its entries.
type register struct {
	seats    [16]seatState
	paused   bool
	pausedAt uint32
	pausedBy rollback.PlayerSet
}

type seatState struct {
	member     rollback.PlayerSet
	pauses     byte
	id         uint64
	from, back uint32
}

// after returns the state after the given number of entries.
func (m *minutes) after(slot uint64, seats []rollback.PlayerSet, newcomers rollback.PlayerSet) (s register) {
	for p := range s.seats {
		s.seats[p].from, s.seats[p].back = never, never
		if newcomers.Has(rollback.Player(p)) {
			s.seats[p].from = 0
		}
	}
	for _, members := range seats {
		if members&newcomers == 0 {
			s.seats[bits.TrailingZeros16(uint16(members))].member = members
		}
	}
	for i := range slot {
		e := m.chosen[i]
		low := bits.TrailingZeros16(uint16(e.players))
		for p := range e.players.All() {
			switch seat := &s.seats[p]; {
			case e.change == lineJoin:
				seat.back = e.frame[p]
			case e.change != 0 && e.change <= lineKick:
				seat.member, seat.from, seat.back = 0, e.frame[p], never
			}
		}
		switch e.change {
		case lineJoin:
			s.seats[low].member, s.seats[low].id = e.players, e.id
		case linePause:
			s.seats[low].pauses++
			s.paused, s.pausedAt, s.pausedBy = true, e.frame[low], e.players
		case lineResume:
			s.paused, s.pausedAt, s.pausedBy = false, 0, 0
		}
	}
	return s
}

// roll compares the member list that a host sends to a newcomer with the log.
func (r *reader) roll(host int, b []byte) {
	n := r.tables.whole("Roll", b, peerShape{width: r.trace.width, players: r.trace.players()}, 0)
	mustBe(n, "match", 1)
	state := n.table("state")
	want := r.log.after(state.num("slot"), r.trace.seats, r.trace.newcomers)
	got := register{paused: state.num("paused") == 1, pausedAt: uint32(state.num("at")), pausedBy: rollback.PlayerSet(state.num("by"))}
	for p := range got.seats {
		got.seats[p].from, got.seats[p].back = never, never
	}
	for i, s := range state.tables("seat") {
		got.seats[i] = seatState{rollback.PlayerSet(s.num("member")), byte(s.num("pauses")), s.num("id"), uint32(s.num("from")), uint32(s.num("back"))}
	}
	if got != want {
		fail("after %d entries the log is %+v, and %+v is told", state.num("slot"), want, got)
	}
	mustBe(n, "own", uint64(r.trace.seats[host]))
	all := rollback.PlayerSet(n.num("own"))
	for _, member := range n.tables("member") {
		players := rollback.PlayerSet(member.num("players"))
		if all |= players; addressOf(member.table("address")) != r.trace.addressOf(players) {
			fail("players %b are not at %v", players, addressOf(member.table("address")))
		}
	}
	for _, s := range want.seats {
		if all&s.member != s.member {
			fail("the roll has %b, and lacks %b", all, s.member)
		}
	}
}

func addressOf(n *node) netip.AddrPort {
	ip, ok := netip.AddrFromSlice(n.get("ip").raw)
	if !ok {
		fail("an IP address of %d bytes", len(n.get("ip").raw))
	}
	return netip.AddrPortFrom(ip, uint16(n.num("port")))
}

// addressOf returns the address of the machine with these players.
func (t *recording) addressOf(players rollback.PlayerSet) netip.AddrPort {
	for i, s := range t.seats {
		if s == players {
			return fleet.Addr(i)
		}
	}
	panic(decodeError(fmt.Sprintf("players %b are nowhere", players)))
}
