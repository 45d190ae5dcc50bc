package served_test

import (
	"encoding/binary"
	"math"
	"testing"
	"time"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
)

// account counts what the datagrams to clients consist of, in bits. It decodes them by the documentation
// of packages datagram, reliable, served and sight, without using their code.
type account struct {
	t         testing.TB
	datagrams int
	bits      map[string]int
	ticks     int // that were told
	changes   int // of an input
}

// accountParts are in the order of a datagram.
var accountParts = []string{
	"kind, number", "sample", "control stream", "flags, next", "taken", "margins", "age, plain, exact", "hash", "who is told", "which have changed", "which bytes", "bytes", "filling", "padding of probes", "tag",
}

// add adds a datagram of a match of 16 with full sight, in which everybody has been told everything so
// far.
func (a *account) add(b []byte) {
	if b[0]&0xC0 != 0x40 {
		return // of a handshake
	}
	a.datagrams++
	count := func(part string, bits int) { a.bits[part] += bits }
	count("tag", 64)
	flags, b := b[0], b[:len(b)-8]
	count("kind, number", 24)
	b = b[3:]
	if flags&0x20 != 0 {
		n := 3 + skipVarint(b[3:])
		count("sample", 8*n)
		b = b[n:]
	}
	if flags&0x10 != 0 {
		n := sectionSize(b)
		count("control stream", 8*n)
		b = b[n:]
	}
	if flags&0x08 == 0 {
		count("padding of probes", 8*len(b))
		return
	}
	head, n := b[0], 3
	if head&0x40 != 0 {
		n = 2
	}
	count("flags, next", 8*n)
	b = b[n:]
	if head&0x10 != 0 {
		n := skipVarint(b)
		count("taken", 8*n)
		b = b[n:]
	}
	for range head & 0x0F {
		n := 0
		if head&0x80 == 0 {
			n = skipVarint(b)
		}
		n += skipVarint(b[n:])
		count("margins", 8*n)
		b = b[n:]
	}
	if head&0x20 != 0 {
		a.update(b)
	}
}

func (a *account) update(b []byte) {
	at := 0
	read := func(part string, n int) (v int) {
		for i := range n {
			v |= int(b[at/8]>>(at%8)&1) << i
			at++
		}
		a.bits[part] += n
		return v
	}
	age := read("age, plain, exact", 8) & 0x3F
	read("hash", 16)
	told, mask := 0xFFFF, 0
	for range age {
		a.ticks++
		if read("who is told", 1) == 0 {
			read("who is told", 16)
			told = read("who is told", 16)
		}
		for p := range 16 {
			if told>>p&1 == 0 || read("which have changed", 1) == 0 {
				continue
			}
			a.changes++
			if read("which bytes", 1) == 0 {
				mask = read("which bytes", 4)
			}
			for i := range 4 {
				if mask>>i&1 != 0 {
					read("bytes", 8)
				}
			}
		}
	}
	a.bits["filling"] += 8*len(b) - at
	if 8*len(b)-at > 7 {
		a.t.Errorf("%d bits follow an update", 8*len(b)-at)
	}
}

func skipVarint(b []byte) int {
	_, n := binary.Uvarint(b)
	return n
}

// sectionSize returns the size of a section of the control stream.
func sectionSize(b []byte) int {
	at := 1
	number := func() uint64 {
		v, n := binary.Uvarint(b[at:])
		at += n
		return v
	}
	if b[0]&0x40 != 0 {
		number()
	}
	if b[0]&0x80 != 0 {
		at += 1 + int(b[at])
	}
	if b[0]&0x3F > 0 {
		number()
	}
	for range b[0] & 0x3F {
		head := number()
		if head&1 != 0 {
			number()
		}
		at += int(head >> 2)
	}
	return at
}

// entropy returns the entropy of values, in bits each, from how often they occurred.
func entropy[K comparable](counts map[K]int) (bits float64) {
	all := 0
	for _, n := range counts {
		all += n
	}
	for _, n := range counts {
		bits -= float64(n) / float64(all) * math.Log2(float64(n)/float64(all))
	}
	return bits
}

// Rule: everything that a client gets is accounted for. docs/benchmarks.md has the figures that -v prints,
// without -short, and beside them the minimum that the inputs need: the entropy of the bots' actions, each
// value by itself.
func TestWhatADatagramConsistsOf(t *testing.T) {
	length := 3 * time.Minute
	if testing.Short() {
		length = 2 * time.Second
	}
	for i, w := range ways[1:] {
		if testing.Short() && i == 1 {
			continue
		}
		h := newHouse(t, 1, 16, netem.Link{}, nil, nil)
		for node := range 16 {
			l := w.link(h, node)
			for _, err := range []error{h.net.SetLink(0, node+1, l), h.net.SetLink(node+1, 0, l)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			h.join(node + 1)
		}
		h.run(12 * time.Second)
		a := account{t: t, bits: map[string]int{}}
		h.tap = a.add
		bytes, from := h.server.Stats(nil).Bytes, len(h.states)
		h.run(length)
		bytes = h.server.Stats(nil).Bytes - bytes
		t.Logf("%s: %.1f bytes, %.2f ticks, %.1f inputs that have changed", w.name, float64(bytes)/float64(a.datagrams), float64(a.ticks)/float64(a.datagrams), float64(a.changes)/float64(a.datagrams))
		sum := 0
		for _, part := range accountParts {
			t.Logf("| %s | %.2f |", part, float64(a.bits[part])/8/float64(a.datagrams))
			sum += a.bits[part]
		}
		if uint64(sum) != 8*bytes {
			t.Errorf("%s: %d bits are accounted for, of %d", w.name, sum, 8*bytes)
		}
		if i == 0 {
			logEntropy(t, h.states[from:])
		}
	}
}

// logEntropy logs what inputs need.
func logEntropy(t *testing.T, states []tanks.State) {
	changed := map[bool]int{}
	turns, throttles, buttons := map[int8]int{}, map[int8]int{}, map[[2]tanks.Buttons]int{}
	former := map[tanks.Buttons]int{}
	ticks, changes := 0, 0
	for i := range states[1:] {
		ticks++
		for p := range rollback.Player(16) {
			was, is := states[i].Tanks[p].Held, states[i+1].Tanks[p].Held
			changed[was != is]++
			if was == is {
				continue
			}
			changes++
			turns[is.Turn]++
			throttles[is.Throttle]++
			buttons[[2]tanks.Buttons{was.Buttons, is.Buttons}]++
			former[was.Buttons]++
		}
	}
	flag, turn, throttle, button := entropy(changed), entropy(turns), entropy(throttles), entropy(buttons)-entropy(former)
	per := turn + throttle + button
	t.Logf("entropy: which have changed %.2f bits for a player and tick; turn %.2f, throttle %.2f, buttons %.2f, together %.1f bits for an input; %.1f bytes for a tick of 16",
		flag, turn, throttle, button, per, (16*flag+float64(changes)/float64(ticks)*per)/8)
}
