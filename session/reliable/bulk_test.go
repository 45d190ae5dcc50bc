package reliable

import (
	"testing"
	"time"
)

// A transfer of 1 MiB in messages of 64 KiB, with a section of at most 1100 bytes
// every 5 ms and a round trip of 100 ms, wastes little beyond what the network
// loses, and the time is near that of the sections that are needed (4.8 s of full
// ones without loss).
func TestBulkTransferIsEfficient(t *testing.T) {
	for _, test := range []struct {
		name         string
		loss, jitter int
		efficiency   int // percent, at least
		time         time.Duration
	}{
		{"no loss", 0, 0, 99, 5200 * time.Millisecond},
		{"loss 5%", 5, 0, 93, 6 * time.Second},
		{"loss 20%", 20, 0, 76, 9 * time.Second},
		{"loss 50%", 50, 0, 44, 35 * time.Second},
		{"jitter 10 ms", 0, 10, 99, 5400 * time.Millisecond},
		{"jitter 30 ms", 0, 30, 96, 6 * time.Second},
		{"jitter 30 ms, loss 5%", 5, 30, 90, 7 * time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newPair(uint64(1+test.loss), link{
				loss: test.loss, delay: 50 * time.Millisecond, jitter: time.Duration(test.jitter) * time.Millisecond,
			})
			took := bulk(t, p)
			from := p.ends[0]
			efficiency := 100 * float64(from.sent.bytes) / float64(from.bytesSent)
			t.Logf("%v, efficiency %.1f%%, acknowledgements %d bytes in %d sections, %+v",
				took, efficiency, p.ends[1].bytesSent, p.ends[1].sections, from.Stats())
			if efficiency < float64(test.efficiency) || took > test.time {
				t.Errorf("efficiency is %.1f%%, at least %d%% wanted; time is %v, at most %v wanted",
					efficiency, test.efficiency, took, test.time)
			}
		})
	}
}

// bulk sends 1 MiB from end 0 and returns how long it took to arrive.
func bulk(t *testing.T, p *pair) time.Duration {
	const messages = 16
	from := p.ends[0]
	from.SetTimeout(200 * time.Millisecond)
	message := p.message(64 << 10)
	for sent := 0; from.sent.delivered < messages; {
		if sent < messages && from.say(message) == nil {
			message = p.message(64 << 10)
			sent++
		}
		if err := p.step(5*time.Millisecond, 1100); err != nil {
			t.Fatal(err)
		}
		if p.now > 10*time.Minute {
			t.Fatal("it never ends")
		}
	}
	return p.now
}

// After an interruption of 10 s a transfer goes on within the longest time-out and
// a round trip, and in the meantime it has sent little.
func TestAnInterruptionIsSurvived(t *testing.T) {
	p := newPair(1, link{delay: 50 * time.Millisecond})
	from, to := p.ends[0], p.ends[1]
	from.SetTimeout(200 * time.Millisecond)
	message := p.message(5000)
	step := func() {
		_ = from.say(message)
		if err := p.step(5*time.Millisecond, 1100); err != nil {
			t.Fatal(err)
		}
	}
	for p.now < time.Second {
		step()
	}
	sent := from.bytesSent
	for p.now < 11*time.Second {
		step()
		from.out.underWay, to.out.underWay = nil, nil
	}
	sent = from.bytesSent - sent
	for delivered := from.sent.delivered; from.sent.delivered == delivered; {
		step()
	}
	t.Logf("%v after the interruption, in which %d bytes were sent", p.now-11*time.Second, sent)
	if limit := 11*time.Second + MaxTimeout + 105*time.Millisecond; p.now > limit {
		t.Errorf("goes on at %v, limit is %v", p.now, limit)
	}
	// The window 8 times: once, 4 doublings, 3 times at the longest.
	if limit := 8 * Window * FullRoom; sent > limit {
		t.Errorf("sent %d bytes, limit is %d", sent, limit)
	}
}
