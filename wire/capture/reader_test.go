package capture_test

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/rollback"
)

// direction is what a reader of the traffic knows about one direction.
type direction struct {
	nonce    uint64
	known    bool // the nonce
	sequence uint64
	match    uint32
	next     []uint32 // of the match, by sender player
	observes bool     // the sender is no member yet
	inputs   map[inputKey]givenInput
	early    map[inputKey]string // orders that have arrived before their input

	fragments map[uint64]string
	ends      map[uint64]bool // fragments that end a message
	taken     uint64
	arrived   uint64 // acknowledged by the other side
	report    []byte // about a desync, as far as it has arrived
	whole     bool   // the report is
}

// reader reads a trace using only the tables.
type reader struct {
	tables   tableSet
	trace    *recording
	links    map[[2]int]*direction
	state    uint64               // hash of state 0
	chains   map[[3]uint64]uint64 // by match and frame, and by sender if they differ
	messages map[uint64]int       // how many of each kind
	kinds    map[byte]int         // of datagrams

	log    *minutes
	guests *watcher // reads what newcomers get as spectators; nil without them
	// promoted is how many newcomers have continued as peers on the connection of their stream.
	promoted int
}

func newReader(tables tableSet, trace *recording) *reader {
	r := &reader{tables: tables, trace: trace, links: map[[2]int]*direction{}, chains: map[[3]uint64]uint64{}, messages: map[uint64]int{}, kinds: map[byte]int{}, log: newMinutes()}
	for from, players := range trace.seats {
		for to := range trace.seats {
			if to == from {
				continue
			}
			r.links[[2]int{from, to}] = &direction{
				next: make([]uint32, players.Len()), inputs: map[inputKey]givenInput{}, early: map[inputKey]string{},
				fragments: map[uint64]string{}, ends: map[uint64]bool{},
			}
		}
	}
	return r
}

// readAll reads a whole trace, and compares what was sent with what was agreed.
func (r *reader) readAll() (err error) {
	at := 0
	defer func() {
		switch e := recover().(type) {
		case nil:
		case decodeError:
			err = fmt.Errorf("datagram %d, from %d to %d, of kind %#x: %s", at, r.trace.sent[at].from, r.trace.sent[at].to, r.trace.sent[at].bytes[0], e)
		default:
			panic(e)
		}
	}()
	for i, d := range r.trace.sent {
		at = i
		r.read(d)
	}
	r.compare()
	if r.guests != nil {
		r.log.compare(r.trace.log)
	}
	return nil
}

func (r *reader) read(d sentDatagram) {
	out, in := r.links[[2]int{d.from, d.to}], r.links[[2]int{d.to, d.from}]
	shape := peerShape{r.trace.seats[d.from].Len(), r.trace.seats[d.to].Len(), r.trace.width, r.trace.players()}
	if r.guests != nil && r.aside(d, in.nonce) {
		r.guests.datagram(d)
		return
	}
	if d.bytes[0] >= 0x80 {
		r.promote(d, out, in)
	}
	seed := keyOf(out.nonce, in.nonce)
	r.kinds[min(d.bytes[0], 0x80)]++
	switch {
	case len(d.bytes) > 1200:
		fail("%d bytes", len(d.bytes))
	case d.bytes[0] >= 0x80:
		// Datagrams to an address without a machine were not seen.
		out.sequence = out.numberOf(d.bytes)
		r.session(d, out, in, r.tables.whole("Session datagram", d.bytes, shape, out.seedOf(seed)))
	case d.bytes[0] == 1:
		r.greet(out, 1, r.tables.whole("Hello", d.bytes, shape, 0))
	case d.bytes[0] == 2:
		n := r.tables.whole("Welcome", d.bytes, shape, in.nonce)
		r.greet(out, 2, n)
		want := r.trace.seats[d.from]
		if n.num("own") != uint64(want) || n.num("input size") != uint64(r.trace.width) || n.num("chain every") != 60 {
			fail("items %v", n.fields)
		}
		if mustBe(n, "tick rate", 60); n.num("flags")&(1<<5) != 0 {
			mustBe(n, "rate frames", 39375000)
			mustBe(n, "rate seconds", 655171)
			r.kinds[kindRate]++
		}
		r.state = n.num("state")
		for _, o := range n.tables("offer") {
			r.offer(o)
		}
	case d.bytes[0] == 3:
		mustBe(r.tables.whole("Challenge", d.bytes, shape, seed), "kind", 3)
	case d.bytes[0] == 4:
		mustBe(r.tables.whole("Answer", d.bytes, shape, seed), "kind", 4)
	default:
		fail("kind %d", d.bytes[0])
	}
}

// kindRate counts the Welcomes with a rate, beside the kinds of datagrams.
const kindRate = 0

// keyOf returns the key of the datagrams of one side.
func keyOf(sender, receiver uint64) uint64 {
	return xxh3.Hash(binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, sender), receiver))
}

// numberOf returns the number of a session datagram.
func (out *direction) numberOf(b []byte) uint64 {
	return out.sequence + uint64(binary.LittleEndian.Uint16(b[1:])-uint16(out.sequence))
}

func (out *direction) seedOf(key uint64) uint64 { return key + out.sequence*0x9E3779B97F4A7C15 }

func mustBe(n *node, field string, want uint64) {
	if n.num(field) != want {
		fail("%s is %d, not %d", field, n.num(field), want)
	}
}

func (r *reader) greet(out *direction, kind uint64, n *node) {
	mustBe(n, "kind", kind)
	mustBe(n, "magic", 'T'|'K'<<8|'B'<<16)
	mustBe(n, "version", 2)
	if out.known {
		mustBe(n, "nonce", out.nonce)
	}
	out.nonce, out.known = n.num("nonce"), true
}

// offer compares an offer with what was proposed. All matches begin in the same way.
func (r *reader) offer(o *node) {
	want := r.trace.offers[uint32(o.num("match"))]
	mustBe(o, "state", r.state)
	mustBe(o, "seed", want.Seed)
	mustBe(o, "frames", uint64(want.Frames))
	mustBe(o, "content", want.Content)
	if data := o.get("data").raw; !bytes.Equal(data, want.Data) {
		fail("the data of the offer are %x", data)
	}
}

func (r *reader) session(d sentDatagram, out, in *direction, n *node) {
	mustBe(n, "sequence", out.sequence&0xFFFF)
	out.sequence++
	if low := uint32(n.num("first")) & 3; low != out.match&3 {
		out.match += (low - out.match) & 3
		clear(out.next)
	}
	for _, s := range n.tables("control") {
		r.section(out, in, s)
	}
	r.takeMessages(d, out)
	if len(n.all("positions")) == 0 {
		return
	}
	ends, counts := r.positions(d, out, in, n.table("positions"))
	if out.observes {
		return
	}
	orders := map[inputKey]string{}
	for _, list := range n.tables("orders") {
		for _, o := range list.tables("order") {
			player := 0
			if len(out.next) > 1 {
				player = int(o.num("player"))
			}
			back := uint32(o.num("back"))
			if player >= len(out.next) || back == 0 || back > counts[player] {
				fail("orders of player %d, %d frames back of %v", player, back, counts)
			}
			orders[r.key(d.from, out, player, ends[player]-back)] = string(o.get("bytes").raw)
		}
	}
	inputs := n.table("inputs")
	blocks := inputs.tables("block")
	for i := range out.next {
		tokens := inputs.get("last block").raw
		if i < len(blocks) {
			tokens = blocks[i].get("tokens").raw
		}
		r.block(d.from, out, i, ends[i]-counts[i], ends[i], tokens, orders)
	}
}

// compare finds everything that was agreed in what was sent to every peer.
func (r *reader) compare() {
	for _, other := range r.trace.others {
		fail("%s", other)
	}
	for way, l := range r.links {
		if len(l.report) > 0 && !l.whole {
			fail("the report to %d has no end", way[1])
		}
	}
	found := 0
	for k, want := range r.trace.agreed {
		sent := 0
		for way, l := range r.links {
			if !r.trace.seats[way[0]].Has(rollback.Player(k.player)) {
				continue
			}
			have, ok := l.inputs[k]
			if !ok && r.trace.parted {
				continue
			}
			if !ok || have != want {
				fail("%v: %x was sent to %d, and %x agreed", k, have, way[1], want)
			}
			sent++
		}
		if sent == 0 && !(r.trace.parted && r.alone(k)) {
			fail("%v was agreed, and never sent", k)
		}
		found += sent
	}
	if found < 100 {
		fail("only %d inputs were agreed", found)
	}
}

// alone reports whether an input comes after all that the player has sent in its match: a peer that is left alone at
// the end sends nothing.
func (r *reader) alone(k inputKey) bool {
	last, any := uint32(0), false
	for _, l := range r.links {
		for sent := range l.inputs {
			if sent.match == k.match && sent.player == k.player {
				last, any = max(last, sent.frame), true
			}
		}
	}
	return any && k.frame > last
}
