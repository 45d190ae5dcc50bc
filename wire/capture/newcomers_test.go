package capture_test

import (
	"encoding/binary"
	"slices"

	"github.com/zeebo/xxh3"
)

// fits reports whether a datagram has the tag of a seed.
func fits(b []byte, seed uint64) bool {
	n := len(b) - 8
	return n > 0 && binary.LittleEndian.Uint64(b[n:]) == xxh3.HashSeed(b[:n], seed)
}

// aside reports whether a datagram is not one between peers, but one between a newcomer and its host.
func (r *reader) aside(d sentDatagram, hello uint64) bool {
	switch kind := d.bytes[0]; {
	case kind == 5 || kind == 6:
		return true
	case kind == 2:
		return !fits(d.bytes, hello)
	}
	return d.bytes[0] >= 0x40 && d.bytes[0] < 0x80
}

// promote makes a datagram between peers continue the connection of the newcomer's stream, if it does: with its keys
// and its numbers.
func (r *reader) promote(d sentDatagram, out, in *direction) {
	if r.guests == nil {
		return
	}
	there, here := r.guests.way(d.from, d.to), r.guests.way(d.to, d.from)
	if there.nonce == out.nonce && here.nonce == in.nonce || there.nonce == 0 || here.nonce == 0 {
		return
	}
	next := *there
	next.sequence = there.numberOf(d.bytes)
	if fits(d.bytes, next.seedOf(keyOf(there.nonce, here.nonce))) {
		out.nonce, in.nonce, out.known, in.known = there.nonce, here.nonce, true, true
		r.promoted++
	}
}

// settle notes whether the sending machine plays yet: if so, its inputs begin with the frame in the log.
func (r *reader) settle(from int, out *direction) {
	players := r.trace.seats[from]
	if players&r.trace.newcomers == 0 {
		return
	}
	e, joined := r.log.joined[players]
	out.observes = !joined
	for i, p := range slices.Collect(players.All()) {
		out.next[i] = max(out.next[i], e.frame[p])
	}
}

// observed handles the positions of or for a newcomer that does not play yet.
func (r *reader) observed(out, in *direction, ends, acks []uint32, p *node) {
	if len(p.all("behind")) > 0 {
		fail("of a newcomer, or for it, all is confirmed: %v", p.fields)
	}
	if !out.observes {
		if slices.Min(acks) != slices.Max(acks) {
			fail("a newcomer is told %v", acks)
		}
		return
	}
	if p.num("count") != 0 || slices.Min(acks) < slices.Max(ends) {
		fail("a newcomer tells %v: it has %v, and is told %v", p.fields, ends, acks)
	}
	copy(in.next, acks) // from there on it gets inputs
}

// mustHave rejects an acknowledgement of inputs that were never sent. Inputs that a newcomer does not get from their
// player come from its host.
func (r *reader) mustHave(d sentDatagram, in *direction, i int, ack uint32) {
	if ack <= in.next[i] {
		return
	}
	if ack == 0 || r.trace.seats[d.from]&r.trace.newcomers == 0 || r.before(d.to, r.key(d.to, in, i, ack-1)) == "" {
		fail("an acknowledgement of %d inputs, and %d were sent", ack, in.next[i])
	}
	in.next[i] = ack
}

// fill compares inputs that others pass on with those that their player has sent.
func (r *reader) fill(n *node) {
	k := inputKey{uint32(n.num("match")), int(n.num("player")), uint32(n.num("frame"))}
	for _, f := range n.tables("frames") {
		known := false
		for _, l := range r.links {
			if sent, ok := l.inputs[k]; ok {
				known = true
				if sent.input != string(f.get("input").raw) || sent.orders != string(f.get("orders").raw) {
					fail("%v was %x, and is passed on as %v", k, sent, f.fields)
				}
			}
		}
		if !known {
			fail("%v is passed on, and was never sent", k)
		}
		r.log.fills++
		k.frame++
	}
}

// candidate compares what members send each other about a newcomer with its request.
func (r *reader) candidate(n *node) {
	mustBe(n, "players", uint64(r.trace.newcomers))
	if n.num("id") == 0 || addressOf(n.table("address")) != r.trace.addressOf(r.trace.newcomers) {
		fail("a newcomer of another place: %v", n.fields)
	}
}

// host reads what a newcomer gets before it plays.
type host struct {
	*reader
	ids   map[uint64]int // of those who ask
	kinds map[byte]int
	rolls int
}

func (h *host) asks(n *node, _ uint64) {
	mustBe(n, "players", uint64(h.trace.newcomers))
	h.ids[n.num("id")]++
}

func (h *host) told(d sentDatagram, kind byte, n *node) {
	h.kinds[kind]++
	if newcomer := h.trace.seats[d.from]&h.trace.newcomers != 0; newcomer != (kind == 8) && kind != 7 {
		fail("message %d of %d", kind, d.from)
	}
	if kind == 9 {
		h.rolls++
		h.roll(d.from, n.get("roll").raw)
	}
}
