package capture_test

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/desync"
)

// section handles the fragments and the acknowledgement of a section.
func (r *reader) section(out, in *direction, s *node) {
	if s.num("flags") == 0 {
		fail("an empty section")
	}
	for _, f := range s.all("arrived") {
		if _, sent := in.fragments[f.n-1]; f.n > 0 && !sent {
			fail("fragment %d was never sent", f.n-1)
		}
		in.arrived = max(in.arrived, f.n)
	}
	for _, f := range s.all("first") {
		number := f.n
		for i, fragment := range s.tables("fragment") {
			for _, skipped := range fragment.all("skipped") {
				if i == 0 || skipped.n == 0 || skipped.n > 255 {
					fail("%d numbers are left out", skipped.n)
				}
				number += skipped.n
			}
			text := string(fragment.get("bytes").raw)
			if before, ok := out.fragments[number]; ok && before != text {
				fail("fragment %d was cut again", number)
			}
			if text == "" || len(text) > 936 || number >= out.arrived+256 {
				fail("fragment %d has %d bytes, and %d have arrived", number, len(text), out.arrived)
			}
			out.fragments[number], out.ends[number] = text, fragment.num("head")&2 == 0
			number++
		}
	}
}

// takeMessages reads the complete messages.
func (r *reader) takeMessages(d sentDatagram, out *direction) {
	message := ""
	for n := out.taken; ; n++ {
		text, ok := out.fragments[n]
		if !ok {
			return
		}
		message += text
		if out.ends[n] {
			r.message(d, out, []byte(message))
			message, out.taken = "", n+1
		}
	}
}

// longOrders are orders that travel separately from their input, before or after it.
func (out *direction) longOrders(k inputKey, orders []byte) {
	if in, ok := out.inputs[k]; ok {
		in.orders = string(orders)
		out.inputs[k] = in
		return
	}
	out.early[k] = string(orders)
}

// mustPlay rejects a set of players that does not contain only players of the match, or is empty.
func (r *reader) mustPlay(set uint64) {
	all := rollback.PlayerSet(0)
	for _, players := range r.trace.seats {
		all |= players
	}
	if set == 0 || set&^uint64(all) != 0 {
		fail("players %b of %b", set, all)
	}
}

// mustBeText rejects bytes that are not a text.
func mustBeText(b []byte) {
	for _, c := range b {
		if c < ' ' || c > '~' {
			fail("%q is no text", b)
		}
	}
}

func (r *reader) message(d sentDatagram, out *direction, b []byte) {
	shape := peerShape{senders: r.trace.seats[d.from].Len(), width: r.trace.width, players: r.trace.players()}
	n := r.tables.whole(r.tables.message(b[0]), b, shape, 0)
	mustBe(n, "kind", uint64(b[0]))
	r.messages[n.num("kind")]++
	if b[0] != 1 && b[0] != 5 && b[0] != 9 && n.num("match") > uint64(out.match) {
		fail("a message about match %d in match %d", n.num("match"), out.match)
	}
	switch b[0] {
	case 1:
		r.mustPlay(n.num("founders"))
		r.offer(n.table("offer"))
	case 9:
		mustBeText(n.get("reason").raw)
	case 3:
		r.mustPlay(n.num("players"))
		mustBeText(n.get("reason").raw)
	case 8:
		mustBeText(n.get("reason").raw)
		frames := n.all("frame")
		for i, next := range out.next {
			// The newest inputs may arrive after this message.
			if len(frames) == len(out.next) && frames[i].n == never {
				continue // the log says when
			}
			if len(frames) != len(out.next) || frames[i].n < uint64(next) || frames[i].n > uint64(next)+10 {
				fail("it leaves at %v, and has sent %d", frames, out.next)
			}
		}
	case 6:
		out.longOrders(inputKey{uint32(n.num("match")), int(n.num("player")), uint32(n.num("frame"))}, n.get("orders").raw)
	case 12:
		r.log.message(r.trace.seats[d.from], n)
	case 13:
		r.fill(n)
	case 14:
		mustBe(n, "match", uint64(out.match))
		if string(n.get("reason").raw) != "enough" {
			fail("kicked for %q", n.get("reason").raw)
		}
	case 15:
		r.candidate(n)
	case 19:
		out.piece(n)
	case 7:
		k := [3]uint64{n.num("match"), n.num("frame")}
		if r.trace.desynced {
			k[2] = uint64(d.from)
		}
		if value, ok := r.chains[k]; ok && value != n.num("chain") {
			fail("two chains at %v", k)
		}
		r.chains[k] = n.num("chain")
	}
}

// piece puts a report together.
func (out *direction) piece(n *node) {
	bytes := n.get("bytes").raw
	if n.num("offset") != uint64(len(out.report)) || len(bytes) == 0 || len(bytes) > 2048 {
		fail("%d bytes of a report at %d, and %d have come", len(bytes), n.num("offset"), len(out.report))
	}
	out.report = append(out.report, bytes...)
	if out.whole = uint64(len(out.report)) >= n.num("size"); !out.whole {
		return
	}
	if _, err := desync.Decode(out.report); err != nil || uint64(len(out.report)) != n.num("size") {
		fail("a report of %d bytes: %v", len(out.report), err)
	}
}
