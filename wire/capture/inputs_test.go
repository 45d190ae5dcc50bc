package capture_test

import (
	"math/bits"
	"slices"
)

// positions returns the ends and counts of all players of the sender.
func (r *reader) positions(d sentDatagram, out, in *direction, p *node) (ends, counts []uint32) {
	r.settle(d.from, out)
	r.settle(d.to, in)
	first := out.next[0] + uint32(int32(int16(uint16(p.num("end"))-uint16(out.next[0]))))
	ends, counts = append(ends, first), append(counts, uint32(p.num("count")))
	for _, f := range p.tables("further") {
		ends, counts = append(ends, first+uint32(f.num("end"))), append(counts, uint32(f.num("count")))
	}
	acks := []uint32{first + uint32(p.num("ack"))}
	for _, f := range p.all("further ack") {
		acks = append(acks, acks[0]+uint32(f.n))
	}
	switch {
	case out.observes || in.observes:
		r.observed(out, in, ends, acks, p)
	case in.match == out.match:
		for i, ack := range acks {
			r.mustHave(d, in, i, ack)
		}
	}
	least := slices.Min(append(slices.Clone(ends), acks...))
	for _, f := range p.all("behind") {
		if f.n == 0 || f.n > uint64(least) {
			fail("confirmed is %d less than %d", f.n, least)
		}
	}
	return ends, counts
}

// key names a frame of a sender's player, in the sender's current match.
func (r *reader) key(from int, out *direction, i int, frame uint32) inputKey {
	for p := range r.trace.seats[from].All() {
		if i--; i < 0 {
			return inputKey{out.match, int(p), frame}
		}
	}
	fail("no player %d", i)
	return inputKey{}
}

// block reads all tokens of one player, known or not.
func (r *reader) block(from int, out *direction, i int, frame, end uint32, b []byte, orders map[inputKey]string) {
	if frame > out.next[i] || end-frame > 511 {
		fail("inputs from %d to %d, and the next is %d", frame, end, out.next[i])
	}
	input := make([]byte, r.trace.width)
	if frame > 0 && frame < end {
		copy(input, r.before(from, r.key(from, out, i, frame-1)))
	}
	put := func() {
		k := r.key(from, out, i, frame)
		now := givenInput{string(input), orders[k] + out.early[k]}
		if before, ok := out.inputs[k]; ok && before.input != now.input {
			fail("%v was %x, and is %x", k, before.input, now.input)
		} else if ok && before.orders != "" {
			now.orders = before.orders // long ones come apart
		}
		out.inputs[k] = now
		frame++
		out.next[i] = max(out.next[i], frame)
	}
	for len(b) > 0 {
		var run, mask uint64
		var changed []byte
		run, mask, changed, b = r.token(b)
		if mask == 0 && run != 15 && run != 255 || frame+uint32(run) >= end || mask>>r.trace.width != 0 || len(changed) != bits.OnesCount64(mask) {
			fail("a run of %d frames, then %x, at %d of %d", run, mask, frame, end)
		}
		for range run {
			put()
		}
		for at := range input {
			if mask>>at&1 == 1 {
				if input[at] == changed[0] {
					fail("a change that is none")
				}
				input[at], changed = changed[0], changed[1:]
			}
		}
		put()
	}
	for frame != end {
		put()
	}
}

// before returns an input that was sent to any peer.
func (r *reader) before(from int, k inputKey) string {
	for to := range r.trace.seats {
		if l := r.links[[2]int{from, to}]; l != nil && l.inputs[k].input != "" {
			return l.inputs[k].input
		}
	}
	if r.log.joined[1<<k.player].frame[k.player] == k.frame+1 {
		return "" // it begins there
	}
	fail("%v is not known", k)
	return ""
}

func (r *reader) token(b []byte) (run, mask uint64, changed, rest []byte) {
	d := decoder{r.tables, peerShape{width: r.trace.width, players: r.trace.players()}, b}
	if r.trace.width <= 4 {
		n := d.rows(r.tables.named("Narrow token"), nil)
		return n.num("head") >> 4, n.num("head") & 15, n.get("changed").raw, d.b
	}
	n := d.rows(r.tables.named("Wide token"), nil)
	return n.num("run"), n.num("mask"), n.get("changed").raw, d.b
}
