package spectate

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tickback/tickback/wire/datagram"
)

// Rule: a queue returns items in order, counts them correctly, and reuses small
// buffers, but none that is still in use.
func TestAQueueIsAQueue(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 9))
		var q queue
		var naive []string
		var lent []byte
		lentWas := ""
		n, again := 0, false
		for range 600 {
			if r.IntN(100) < 50+int(seed) || len(naive) == 0 {
				text := strings.Repeat(fmt.Sprint(n, " "), 1+r.IntN(40)*r.IntN(40))
				spare := len(q.spare)
				q.push(Item{Frames: q.copy([]byte(text)), Count: n % 7})
				again = again || len(q.spare) < spare
				if naive = append(naive, text); len(q.list) > 2*len(naive) {
					t.Fatalf("seed %d: %d places for %d items", seed, len(q.list), len(naive))
				}
				n++
			} else {
				front := q.front()
				if string(front.Frames) != naive[0] {
					t.Fatalf("seed %d: %.20q comes, and not %.20q", seed, front.Frames, naive[0])
				}
				lent, lentWas = front.Frames, naive[0]
				q.pop()
				naive = naive[1:]
			}
			if string(lent) != lentWas {
				t.Fatalf("seed %d: a buffer is used again while it is lent", seed)
			}
			size, frames := 0, 0
			for _, i := range q.list[q.head:] {
				size, frames = size+i.size(), frames+i.Count
			}
			if q.size != size || q.frames != frames || len(q.list)-q.head != len(naive) || (q.front() == nil) != (len(naive) == 0) {
				t.Fatalf("seed %d: %d bytes, %d frames, %d items", seed, q.size, q.frames, len(q.list)-q.head)
			}
			if len(q.spare) > 16 {
				t.Fatalf("seed %d: %d buffers", seed, len(q.spare))
			}
			for _, b := range q.spare {
				if cap(b) > 4<<10 {
					t.Fatalf("seed %d: a buffer of %d bytes is kept", seed, cap(b))
				}
			}
			for _, i := range q.list[:q.head] {
				if i.Frames != nil {
					t.Fatalf("seed %d: what was taken is held", seed)
				}
			}
		}
		if !again {
			t.Errorf("seed %d: no buffer is used again", seed)
		}
	}
	for i, wanted := range map[*Item]int{
		{}: 64, {Frames: make([]byte, 5)}: 69, {State: make([]byte, 6)}: 70, {Begin: &datagram.Offer{Data: make([]byte, 7)}}: 71, {Begin: &datagram.Offer{}}: 64,
	} {
		want(t, "size", i.size(), wanted)
	}
	var many queue
	for range 40 {
		many.push(Item{Frames: []byte("x")})
	}
	for range 40 {
		many.pop()
	}
	want(t, "buffers", len(many.spare), 16)
	var q queue
	for _, size := range []int{4 << 10, 4<<10 + 1} {
		q.push(Item{Frames: make([]byte, size)})
		q.push(Item{})
		q.pop()
		q.pop()
	}
	want(t, "spare", len(q.spare), 1)
	b := q.copy([]byte("x"))
	want(t, "it is the one", cap(b), 4<<10)
	want(t, "and there is no other", len(q.spare), 0)
}
