package served

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/stream"
)

// This file decodes datagrams by docs/reference/sight.md, and by the parts of wire.md that it refers
// to. It uses the keys of the connection and nothing else.

const servedPage = "../../docs/reference/sight.md"

var errServedPage = errors.New("the page allows no such body")

// pageBytes are the bytes that are left.
type pageBytes []byte

func (p *pageBytes) fixed(n int) (v uint64) {
	if len(*p) < n {
		panic(errServedPage)
	}
	for i, b := range (*p)[:n] {
		v |= uint64(b) << (8 * i)
	}
	*p = (*p)[n:]
	return v
}

func (p *pageBytes) varint() (v uint64) {
	for i := 0; ; i++ {
		b := p.fixed(1)
		if v |= b & 0x7F << (7 * i); b < 0x80 {
			if b == 0 && i > 0 {
				panic(errServedPage)
			}
			return v
		}
	}
}

func (p *pageBytes) zigzag() int64 {
	v := p.varint()
	if v%2 == 1 {
		return -int64(v/2) - 1
	}
	return int64(v / 2)
}

// nearest returns the number nearest to near with these low bits.
func nearest(near int64, low uint64) int64 {
	n := near - near%65536 + int64(low)
	for _, k := range []int64{n - 65536, n + 65536} {
		if (k-near)*(k-near) < (n-near)*(n-near) {
			n = k
		}
	}
	return n
}

// pageBody returns the body of a spectator datagram without its tag; ok is false if there is none,
// or a control stream before it.
func pageBody(b []byte) (body pageBytes, ok bool) {
	p := pageBytes(b)
	first := p.fixed(1)
	p.fixed(2)
	if first>>5&1 == 1 {
		p.fixed(3)
		p.varint()
	}
	return p, first>>6 == 1 && first>>3&1 == 1 && first>>4&1 == 0
}

// pageUp decodes the section "Body of a client", and the inputs of two bytes in it, given the
// previous ones.
func pageUp(p pageBytes, near int64, known map[int64]uint16) (u clientBody, inputs map[int64]uint16, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = r.(error)
		}
	}()
	flags := p.fixed(1)
	if flags > 7 {
		panic(errServedPage)
	}
	next := nearest(near, p.fixed(2))
	u.plain, u.next = flags&1 == 1, uint32(next)
	if flags>>1&1 == 1 {
		u.any, u.state = true, uint32(next-p.zigzag())
	}
	if flags>>2&1 == 0 {
		return u, nil, nil
	}
	u.count, u.block = uint32(p.varint()), p
	inputs = map[int64]uint16{}
	at, held := next-int64(u.count), [2]byte{}
	binary.LittleEndian.PutUint16(held[:], known[at-1])
	for len(p) > 0 { // narrow tokens
		head := p.fixed(1)
		for range head >> 4 {
			inputs[at] = binary.LittleEndian.Uint16(held[:])
			at++
		}
		for i := range held {
			if head>>i&1 == 1 {
				held[i] = byte(p.fixed(1))
			}
		}
		inputs[at] = binary.LittleEndian.Uint16(held[:])
		at++
	}
	for ; at < next; at++ {
		inputs[at] = binary.LittleEndian.Uint16(held[:])
	}
	if at != next {
		panic(errServedPage)
	}
	return u, inputs, nil
}

// pageMargin is a margin by the page.
type pageMargin struct {
	tick  int64
	early time.Duration
}

// pageEarly returns how early an input was, by the section "Margin".
func pageEarly(e int64) time.Duration {
	switch {
	case e < 0:
		return -pageEarly(-e)
	case e >= 32:
		e = (8 + (e-32)%8) * 4 << ((e - 32) / 8)
	}
	return time.Duration(e) * 500 * time.Microsecond
}

// pageDown decodes the section "Body of a server".
func pageDown(p pageBytes, near int64) (next, taken int64, margins []pageMargin, update []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = r.(error)
		}
	}()
	flags := p.fixed(1)
	if flags>>6&1 == 1 {
		next = near - 192
		for low := int64(p.fixed(1)); next&0xFF != low; {
			next++
		}
	} else {
		next = nearest(near, p.fixed(2))
	}
	if taken = -1; flags>>4&1 == 1 {
		taken = next + p.zigzag()
	}
	tick := next
	if flags>>7 == 1 {
		if tick = taken - int64(flags&15) - 1; taken < 0 || flags&15 == 0 {
			panic(errServedPage)
		}
	}
	for range flags & 15 {
		if flags>>7 == 1 {
			tick++
		} else {
			tick += p.zigzag()
		}
		margins = append(margins, pageMargin{tick, pageEarly(p.zigzag())})
	}
	if flags>>5&1 == 1 {
		return next, taken, margins, p, nil
	}
	if len(p) > 0 {
		panic(errServedPage)
	}
	return next, taken, margins, nil, nil
}

// Rule: a reader who decodes the datagrams of a match by the page alone knows everything that each
// side has sent.
func TestThePageIsEnoughToReadBodies(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	var played []uint16 // by tick, of player 0
	s, err := NewServer(countGame(), ServerConfig{Game: countAbout, Random: r.Uint64}, ServerHooks[count, uint16]{
		Agreed: func(a *rollback.Agreed[uint16]) { played = append(played, a.Inputs[0]) },
	})
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewClient(countGame(), ClientConfig{Game: countAbout, Server: serverAddr, Random: r.Uint64}, ClientHooks[count, uint16]{
		Sample: func(Player) uint16 {
			if r.IntN(3) == 0 {
				return uint16(r.Uint32())
			}
			return 700
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	given := map[int64]uint16{}
	ups, downs, updates, margins := 0, 0, 0, 0
	for now := time.Duration(0); now < 4*time.Second; now += time.Millisecond {
		s.Update(now)
		for _, b := range s.Outgoing() {
			if b[0]>>6 == 1 {
				if body, ok := pageBody(b[:len(b)-8]); ok {
					next, taken, list, update, err := pageDown(body, int64(c.clientMatch.newest))
					if err != nil || next != int64(s.Frame()) || taken >= 0 && taken != int64(s.clients.of[0].inputs.Next()) {
						t.Fatalf("%v, next %d of %d, taken %d", err, next, s.Frame(), taken)
					}
					for _, m := range list {
						if margins++; m.tick > next+5 || m.tick+5 < next || m.early > 100*time.Millisecond || m.early < -100*time.Millisecond {
							t.Fatalf("margin %+v at %d", m, next)
						}
					}
					if downs++; update != nil {
						updates++
						// Its first bits are those of an update, which has a page reader of its own.
						if age := int64(update[0] & 63); age < 1 || age > 9 {
							t.Fatalf("a baseline %d ticks ago", age)
						}
					}
				}
			}
			c.Receive(now, serverAddr, b)
		}
		c.Update(now)
		for _, b := range c.Outgoing() {
			if b[0]>>6 == 1 {
				if body, ok := pageBody(b[:len(b)-8]); ok {
					u, inputs, err := pageUp(body, int64(s.Frame()), given)
					if err != nil || u.plain || u.any && Frame(u.state) != c.Known() {
						t.Fatalf("%+v, %v; it knows %d", u, err, c.Known())
					}
					for tick, in := range inputs {
						if before, ok := given[tick]; ok && before != in {
							t.Fatalf("tick %d: %d and %d", tick, before, in)
						}
						given[tick] = in
					}
					ups++
				}
			}
			s.Receive(now, honestAddr, bytes.Clone(b))
		}
	}
	same := 0
	for tick, in := range given {
		if int(tick) < len(played) {
			if played[tick] != in {
				t.Fatalf("tick %d: %d is played, and %d was given", tick, played[tick], in)
			}
			same++
		}
	}
	if ups < 200 || downs < 150 || updates < 150 || margins < 150 || same < 150 {
		t.Errorf("%d and %d bodies, %d updates, %d margins, %d inputs", ups, downs, updates, margins, same)
	}
}

// Rule: the tables of the page have the lengths of the messages, and their kinds.
func TestThePageHasTheMessages(t *testing.T) {
	page, err := os.ReadFile(servedPage)
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t, nil)
	for name, b := range map[string][]byte{
		"begin":  s.log.offer.Append([]byte{messageBegin}),
		"place":  appendPlace(nil, 1, 2),
		"state":  appendState(nil, 3, 4),
		"chunk":  {messageChunk, 1, 2},
		"orders": appendOrders(nil, 4, []byte{1, 2}),
		"end":    appendEnd(nil, &stream.Outcome{Finished: true, Summary: stream.Summary{Health: stream.Healthy}}),
		"bye":    {messageBye, 'x'},

		"differs": appendDiffers(nil, 5),
		"truth":   appendTruth(nil, 5, 6, "x"),
		"part":    {messagePart, 1},
		"slipped": appendSlipped(nil, 7),
	} {
		title := fmt.Sprintf("### Message %d: %s\n", b[0], name)
		_, section, found := strings.Cut(string(page), title)
		if !found {
			t.Errorf("the page has no %q", title)
			continue
		}
		_, table, _ := strings.Cut(section, "|---|---|---|---|\n")
		table, _, _ = strings.Cut(table, "\n\n")
		size, open := 0, false
		for i, row := range strings.Split(table, "\n") {
			cells := strings.Split(row, " | ")
			n, err := strconv.Atoi(cells[1])
			if err != nil {
				open = true // to the end
				continue
			}
			if i == 0 && cells[3] != fmt.Sprintf("%d |", b[0]) {
				t.Errorf("%s: its kind is %s", name, cells[3])
			}
			size += n
		}
		if len(b) < size || len(b) > size != open {
			t.Errorf("%s has %d bytes; the page says %d, and more: %v", name, len(b), size, open)
		}
	}
}
