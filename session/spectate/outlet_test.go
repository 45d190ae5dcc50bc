package spectate

import (
	"testing"
	"time"

	"github.com/tickback/tickback/session/peer"
)

// Rule: spectators of a lane take turns until its rate is used up, or none of them has anything; those of the other
// lane do not wait for them.
func TestLanesTakeTurns(t *testing.T) {
	var out peer.Outbox
	rate := tokens{rate: 100_000}
	o := outlet{out: &out, lanes: [2]lane{{tokens: rate}, {tokens: rate}}}
	for lane := range o.lanes {
		var sent [3]int
		tries := 0
		pump := func(now time.Duration) {
			o.pump(lane, 3, now, func(i int) (size int) {
				if tries++; i == 1 {
					return 0
				}
				sent[i] += 1000
				return 1000
			})
		}
		pump(time.Second)
		want(t, "in a burst", sent, [3]int{3000, 0, 2000})
		pump(time.Second)
		want(t, "at the same time", sent, [3]int{3000, 0, 2000})
		pump(time.Second + 20*time.Millisecond)
		want(t, "later", sent, [3]int{4000, 0, 3000})
	}
	tries := 0
	o.pump(0, 3, time.Minute, func(int) int { tries++; return 0 })
	want(t, "calls when there is nothing", tries, 3)
	o.pump(0, 0, time.Hour, nil)
}

// Rule: what is sent is counted; nothing is sent while 256 datagrams wait.
func TestTheOutletIsBounded(t *testing.T) {
	var out peer.Outbox
	o := outlet{out: &out, lanes: [2]lane{{tokens: tokens{rate: 1 << 30}}}}
	p := peer.NewPipe(hostAddr, 1, 2, hallPeriod, 0)
	for o.datagrams < MaxOutgoing {
		o.send(p, 0)
	}
	want(t, "datagrams", out.Len(), MaxOutgoing)
	want(t, "bytes", int(o.bytes), len(out.Bytes))
	o.probe(p, time.Hour)
	o.serve(p, false, time.Hour)
	o.pump(0, 1, time.Hour, func(int) int { t.Error("it is asked for one more"); return 0 })
	want(t, "datagrams then", out.Len(), MaxOutgoing)
}
