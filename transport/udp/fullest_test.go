package udp

import (
	"math/rand/v2"
	"testing"
)

// Rule: however queues fill and empty, the fullest is one with the most datagrams, and there is none while all are
// empty.
func TestTheFullestQueueIsKnown(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var lists byLength
	members := make([]*Member, 4)
	for i := range members {
		members[i] = &Member{}
	}
	most := func() (n int) {
		for _, m := range members {
			n = max(n, len(m.queue))
		}
		return n
	}
	empty := 0
	for range 200_000 {
		m := members[random.IntN(len(members))]
		from := len(m.queue)
		switch to := random.IntN(memberQueue + 1); random.IntN(8) {
		case 0:
			m.queue = make([]*parcel, to)
		case 1, 2:
			m.queue = nil
		case 3, 4:
			m.queue = m.queue[min(from, 1):]
		default:
			m.queue = append(m.queue, nil)[:min(from+1, memberQueue)]
		}
		lists.moved(m, from)
		switch full := lists.fullest(); {
		case full == nil && most() == 0:
			empty++
		case full == nil || len(full.queue) != most():
			t.Fatalf("the fullest is %v, and one has %d", full, most())
		}
	}
	if empty == 0 {
		t.Error("no time at which all were empty was tried")
	}
}
