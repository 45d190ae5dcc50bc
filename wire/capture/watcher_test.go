package capture_test

import (
	"bytes"
	"fmt"
	"math/bits"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/rollback"
)

// watcher reads what hosts and spectators send, using only the tables.
type watcher struct {
	reader
	trace    *watched
	streams  map[[2]int]*shown
	messages map[uint64]int
	parts    [5]int // of frames
	kinds    map[byte]int
	guest    guest // of newcomers, if newcomers are watching
}

// guest reads what newcomers send and receive.
type guest interface {
	asks(n *node, host uint64)
	told(d sentDatagram, kind byte, n *node)
}

// shown is what a host has sent to a spectator.
type shown struct {
	next   uint32
	frame  rollback.Agreed[wideInput]
	state  *node
	bytes  []byte
	states int
	frames int
	ended  bool
}

func newWatcher(tables tableSet, trace *watched) *watcher {
	w := &watcher{trace: trace, streams: map[[2]int]*shown{}, messages: map[uint64]int{}, kinds: map[byte]int{}}
	w.tables, w.links = tables, map[[2]int]*direction{}
	return w
}

// readAll reads everything that was sent.
func (w *watcher) readAll() (err error) {
	at := 0
	defer func() {
		switch e := recover().(type) {
		case nil:
		case decodeError:
			err = fmt.Errorf("datagram %d of spectators: %s", at, e)
		default:
			panic(e)
		}
	}()
	for i, d := range w.trace.sent {
		at = i
		w.datagram(d)
	}
	return nil
}

func readWatched(tables tableSet, trace *watched) (*watcher, error) {
	w := newWatcher(tables, trace)
	if err := w.readAll(); err != nil {
		return nil, err
	}
	for way, s := range w.streams {
		if way[1] == 2 && (s.frames != watchedFrames || s.states > 0) || way == [2]int{0, 3} && (s.states != 1 || !s.ended) {
			return nil, fmt.Errorf("%v was shown %d frames and %d states", way, s.frames, s.states)
		}
	}
	return w, nil
}

// way is a direction, which starts over with a new nonce of the spectator.
func (w *watcher) way(from, to int) *direction {
	k := [2]int{from, to}
	if w.links[k] == nil {
		w.links[k] = &direction{}
		w.fresh(w.links[k], 0)
		w.streams[k] = &shown{}
	}
	return w.links[k]
}

func (w *watcher) fresh(d *direction, nonce uint64) {
	*d = direction{nonce: nonce, fragments: map[uint64]string{}, ends: map[uint64]bool{}}
}

func (w *watcher) datagram(d sentDatagram) {
	out, in := w.way(d.from, d.to), w.way(d.to, d.from)
	shape := peerShape{width: 12}
	key := keyOf(out.nonce, in.nonce)
	w.kinds[min(d.bytes[0], 0x40)]++
	switch {
	case d.bytes[0] >= 0x40 && d.bytes[0] < 0x80:
		if d.to == 4 && d.bytes[1] == 0 && d.bytes[2] == 0 {
			out.sequence = 0 // a host that refuses keeps nothing, not even what it has sent
		}
		if out.sequence = out.numberOf(d.bytes); d.bytes[0]&0x0F != 0 {
			fail("first byte %#x", d.bytes[0])
		}
		n := w.tables.whole("Spectator datagram", d.bytes, shape, out.seedOf(key))
		mustBe(n, "sequence", out.sequence&0xFFFF)
		out.sequence++
		for _, s := range n.tables("sample") {
			mustBe(s, "lag", 0)
		}
		for _, s := range n.tables("control") {
			w.section(out, in, s)
		}
		w.stream(d, out)
	case d.bytes[0] == 5:
		n := w.tables.whole("Hello", d.bytes, shape, 0)
		mustBe(n, "magic", 'T'|'K'<<8|'B'<<16)
		if nonce := n.num("nonce"); nonce != out.nonce {
			w.fresh(out, nonce)
			w.fresh(in, 0)
			*w.streams[[2]int{d.to, d.from}] = shown{}
		}
	case d.bytes[0] == 2:
		n := w.tables.whole("Welcome", d.bytes, shape, in.nonce)
		mustBe(n, "flags", 1<<4)
		mustBe(n, "own", 1<<d.from)
		if out.nonce == 0 {
			out.nonce = n.num("nonce")
		}
	case d.bytes[0] == 6:
		table := "Attach"
		if w.guest != nil {
			table = "Attach for a seat"
		}
		n := w.tables.whole(table, d.bytes, shape, key)
		mustBe(n, "kind", 6)
		mustBe(n, "nonce", out.nonce)
		if w.guest != nil {
			w.guest.asks(n, in.nonce)
		} else if !bytes.Equal(n.get("proof").raw, proofOf(watchedToken, n.num("nonce"), in.nonce, 0, 0)) {
			fail("another proof")
		}
	default:
		fail("kind %d", d.bytes[0])
	}
}

// stream reads the complete messages.
func (w *watcher) stream(d sentDatagram, out *direction) {
	message := ""
	for n := out.taken; ; n++ {
		text, ok := out.fragments[n]
		if !ok {
			return
		}
		if message += text; out.ends[n] {
			w.told(d, []byte(message))
			message, out.taken = "", n+1
		}
	}
}

func (w *watcher) told(d sentDatagram, b []byte) {
	table := ""
	for name := range w.tables {
		if bytes.HasPrefix([]byte(name), fmt.Appendf(nil, "Spectator message %d:", b[0])) {
			table = name
		}
	}
	n := w.tables.whole(table, b, peerShape{width: 12}, 0)
	mustBe(n, "kind", uint64(b[0]))
	w.messages[uint64(b[0])]++
	if w.guest != nil {
		w.guest.told(d, b[0], n)
		return
	}
	s := w.streams[[2]int{d.from, d.to}]
	if host := d.from < 2; host != (b[0] < 7) && b[0] != 7 {
		fail("message %d of %d", b[0], d.from)
	}
	switch b[0] {
	case 1:
		mustBe(n.table("offer"), "match", 1)
		mustBe(n.table("offer"), "content", 2)
		if string(n.table("offer").get("data").raw) != "all" {
			fail("another offer")
		}
	case 2:
		s.state, s.bytes = n, nil
		mustBe(n, "offset", 0)
	case 3:
		if s.bytes = append(s.bytes, n.get("bytes").raw...); uint64(len(s.bytes)) == s.state.num("size") {
			mustBe(s.state, "digest", xxh3.Hash(s.bytes))
			s.states++
		}
	case 4:
		s.next, s.frame = uint32(n.num("frame")), rollback.Agreed[wideInput]{}
		if s.next%64 != 0 || s.state != nil && uint64(s.next) != s.state.num("frame")/64*64 {
			fail("it begins at %d", s.next)
		}
	case 5:
		for _, f := range n.tables("frames") {
			w.frame(s, f)
		}
		if n.num("live") < uint64(s.next) || n.num("count") > 64 {
			fail("%d frames up to %d, of %d", n.num("count"), s.next, n.num("live"))
		}
	case 6:
		o := &w.trace.outcome
		for field, want := range map[string]uint64{"frames": uint64(o.Frames), "hash": o.Hash, "chain": o.Chain, "result": o.Result, "finished": 1, "gone": uint64(o.Left)} {
			mustBe(n, field, want)
		}
		s.ended = true
	case 7:
		if host := d.from < 2; host && len(n.get("reason").raw) < 4 {
			fail("a bye without a reason")
		}
	case 8:
		if next := n.num("next"); (next == 0) != (n.num("match") == 0) || n.num("marked") > next || n.num("have") > n.num("size") || next > watchedFrames {
			fail("it asks for %v", n.fields)
		}
		mustBe(n, "state", 0)
		mustBe(n, "digest", 0)
		if n.num("marked") > 0 {
			mustBe(n, "chain", w.chainAt(n.num("marked")))
		}
	}
}

// chainAt folds the hashes of the agreed frames, as the page describes.
func (w *watcher) chainAt(frames uint64) (chain uint64) {
	for _, a := range w.trace.agreed[:frames] {
		if !a.Hashed {
			continue
		}
		chain = bits.RotateLeft64((chain^a.Hash)*0x9E3779B97F4A7C15, 29) + uint64(a.Frame) + 1
	}
	return chain
}

// frame compares a frame with what the players agreed on.
func (w *watcher) frame(s *shown, n *node) {
	parts := n.num("parts")
	for i := range w.parts {
		w.parts[i] += int(parts >> i & 1)
	}
	want := &w.trace.agreed[s.next]
	if s.next%64 == 0 {
		s.frame = rollback.Agreed[wideInput]{Statuses: make([]rollback.Status, 1)}
	}
	if s.frame.Inputs == nil {
		s.frame.Inputs = make([]wideInput, 2)
	}
	for _, c := range n.tables("inputs") {
		list := c.tables("input")
		for set := c.num("players"); set != 0; set &= set - 1 {
			in := &s.frame.Inputs[bits.TrailingZeros64(set)]
			mask, changed := list[0].num("mask"), list[0].get("changed").raw
			for list = list[1:]; mask != 0; mask &= mask - 1 {
				in[bits.TrailingZeros64(mask)], changed = changed[0], changed[1:]
			}
		}
	}
	for _, g := range n.all("gone") {
		s.frame.Result = g.n // the set, until the next one
	}
	orders := [2]string{}
	for _, o := range n.tables("orders") {
		list := o.tables("given")
		for set := o.num("players"); set != 0; set &= set - 1 {
			orders[bits.TrailingZeros64(set)] = string(list[0].get("bytes").raw)
			list = list[1:]
		}
	}
	for p, in := range s.frame.Inputs {
		gone := want.Statuses[p] == rollback.Disconnected
		if in != want.Inputs[p] || orders[p] != string(want.Orders[p]) || gone != (s.frame.Result>>p&1 != 0) {
			fail("frame %d: player %d: %x, %q, gone %v; %+v", s.next, p, in, orders[p], gone, want)
		}
	}
	for _, h := range n.all("hash") {
		if h.n != want.Hash || n.num("chain") != w.chainAt(uint64(s.next)+1) {
			fail("frame %d: hash %x, chain %x: want %x, %x", s.next, h.n, n.num("chain"), want.Hash, w.chainAt(uint64(s.next)+1))
		}
	}
	for _, r := range n.all("result") {
		if r.n != want.Result || !want.Finished {
			fail("frame %d: result %x", s.next, r.n)
		}
	}
	s.next++
	s.frames++
}

// Everything that hosts and spectators send matches docs/reference/wire.md, to the last byte, and its content is what
// the players have agreed on.
func TestPageDecodesWhatSpectatorsGet(t *testing.T) {
	w, err := readWatched(parsePage(readPage(t)), recordWatched(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d datagrams %v, messages %v, parts %v", len(w.trace.sent), w.kinds, w.messages, w.parts)
	for k := uint64(1); k <= 8; k++ {
		if w.messages[k] == 0 {
			t.Errorf("no message %d was sent", k)
		}
	}
	for i, n := range w.parts {
		if n == 0 {
			t.Errorf("no frame has part %d", i)
		}
	}
}
