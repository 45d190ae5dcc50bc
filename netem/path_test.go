package netem_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
)

// Independent losses occur at their rate, and singly: the datagram after a lost one is lost no more often than any
// other.
func TestLossIsAtItsRate(t *testing.T) {
	const n = 200_000
	p := path(t, 1, netem.Link{Loss: 5 * netem.Percent})
	lost, pairs, before := int64(0), int64(0), false
	for range n {
		now := p.Send(0, 10).Copies == 0
		if now {
			lost++
			if before {
				pairs++
			}
		}
		before = now
	}
	within(t, "lost", lost, n/20, n/1000)
	within(t, "lost after one that was lost", pairs, lost/20, lost/100)
	if s := p.Stats(); s.Lost != uint64(lost) || s.Sent != n || s.SentBytes != 10*n {
		t.Errorf("the statistics are %+v", s)
	}
}

// In a link whose bursts lose everything, and that loses nothing else, the mean length of a run of losses is 1/End, and
// their share is Begin / (Begin + End).
func TestBurstsHaveTheirLength(t *testing.T) {
	const n = 400_000
	p := path(t, 2, netem.Link{Burst: netem.Burst{Begin: 2 * netem.Percent, End: 20 * netem.Percent, Loss: netem.Always}})
	lost, runs, before := int64(0), int64(0), false
	for range n {
		now := p.Send(0, 10).Copies == 0
		if now {
			lost++
			if !before {
				runs++
			}
		}
		before = now
	}
	within(t, "lost", lost*1000/n, 2*1000/22, 4)
	within(t, "hundredths of a mean run", lost*100/runs, 500, 15)
}

// Each state of the burst model has its own loss rate; without bursts in the settings a burst ends at once.
func TestLossInsideAndOutsideOfBursts(t *testing.T) {
	const n = 200_000
	p := path(t, 3, netem.Link{
		Loss:  netem.Percent,
		Burst: netem.Burst{Begin: 10 * netem.Percent, End: 10 * netem.Percent, Loss: 31 * netem.Percent},
	})
	for range n {
		p.Send(0, 1)
	}
	within(t, "lost", int64(p.Stats().Lost), n*16/100, n/150)

	if err := p.SetLink(netem.Link{Burst: netem.Burst{Begin: netem.Always, End: 1, Loss: netem.Always}}); err != nil {
		t.Fatal(err)
	}
	if p.Send(0, 1).Copies != 0 {
		t.Error("there is no burst")
	}
	if err := p.SetLink(netem.Link{}); err != nil {
		t.Fatal(err)
	}
	if p.Send(0, 1).Copies != 1 {
		t.Error("the burst goes on")
	}
}

// Without Reorder nothing is overtaken, copies included, whatever the jitter and however the settings change; with it
// some datagrams are.
func TestReorder(t *testing.T) {
	for _, reorder := range []bool{false, true} {
		l := netem.Link{Delay: 10 * ms, Jitter: 30 * ms, Distribution: netem.Exponential, Reorder: reorder, Duplicate: 10 * netem.Percent}
		p := path(t, 4, l)
		var latest time.Duration
		overtaking := 0
		for i := range 10_000 {
			if i == 5000 {
				l.Delay = 0
				if err := p.SetLink(l); err != nil {
					t.Fatal(err)
				}
			}
			now := time.Duration(i) * 16 * ms
			f := p.Send(now, 1)
			for _, at := range f.At[:f.Copies] {
				if at < latest {
					overtaking++
				}
				latest = max(latest, at)
				if at < now+l.Delay {
					t.Fatalf("sent at %v, arrives at %v", now, at)
				}
			}
		}
		if (overtaking > 0) != reorder {
			t.Errorf("Reorder %v: %d overtake", reorder, overtaking)
		}
	}
}

// Datagrams that are sent at the same time leave one after the other at the bandwidth, overhead included, and the queue
// holds as much as configured.
func TestBandwidthSpacesAndTheQueueDrops(t *testing.T) {
	// 100 bytes on the wire take 100 ms; 450 bytes are four datagrams.
	p := path(t, 5, netem.Link{Bandwidth: 1000, Queue: 450, Overhead: 28, Delay: 7 * ms})
	for i := 1; i <= 6; i++ {
		f := p.Send(0, 72)
		if i > 4 {
			if f.Copies != 0 {
				t.Errorf("datagram %d is not dropped", i)
			}
		} else if want := time.Duration(i)*100*ms + 7*ms; f.Copies != 1 || f.At[0] != want {
			t.Errorf("datagram %d arrives at %v, want %v", i, f.At[0], want)
		}
	}
	// After 250 ms, 150 bytes are left: there is room for three more datagrams.
	for i, want := range []int{1, 1, 1, 0} {
		if f := p.Send(250*ms, 72); f.Copies != want {
			t.Errorf("later, datagram %d arrives %d times, want %d", i, f.Copies, want)
		}
	}
	// An idle link accepts a datagram larger than its queue.
	if f := p.Send(time.Minute, 972); f.Copies != 1 || f.At[0] != time.Minute+time.Second+7*ms {
		t.Errorf("a large datagram: %+v", f)
	}
	if s := p.Stats(); s.Dropped != 3 || s.Lost != 0 {
		t.Errorf("the statistics are %+v", s)
	}
}

// With a Queue of 0, the queue holds what the bandwidth carries in DefaultQueueTime.
func TestDefaultQueue(t *testing.T) {
	p := path(t, 6, netem.Link{Bandwidth: 10_000})
	arrived := 0
	for range 100 {
		arrived += p.Send(0, 100).Copies
	}
	within(t, "arrived", int64(arrived), 20, 0)
}

// A datagram that is lost on the way has used bandwidth; one that is sent while the link is down has not.
func TestWhatIsLostHasLeft(t *testing.T) {
	l := netem.Link{Bandwidth: 1000, Loss: netem.Always}
	p := path(t, 7, l)
	p.Send(0, 100)
	l.Loss = 0
	l.Down = true
	p.SetLink(l)
	p.Send(0, 50)
	l.Down = false
	p.SetLink(l)
	if f := p.Send(0, 100); f.Copies != 1 || f.At[0] != 200*ms {
		t.Errorf("%+v", f)
	}
	if s := p.Stats(); s.Lost != 1 || s.Cut != 1 || s.Sent != 3 {
		t.Errorf("the statistics are %+v", s)
	}
}

// Duplicates and corruption occur at their rates, for copies as for originals, and a copy has its own jitter.
func TestDuplicatesAndCorruption(t *testing.T) {
	const n = 100_000
	p := path(t, 8, netem.Link{
		Duplicate: 10 * netem.Percent, Corrupt: 20 * netem.Percent, Reorder: true,
		Jitter: 10 * ms, Distribution: netem.Uniform,
	})
	var copies, first, second, earlier int64
	for range n {
		f := p.Send(0, 1)
		if f.Damage[0] != 0 {
			first++
		}
		if f.Copies == 2 {
			copies++
			if f.Damage[1] != 0 {
				second++
			}
			if f.At[1] < f.At[0] {
				earlier++
			}
		}
	}
	within(t, "copies", copies, n/10, n/200)
	within(t, "corrupted originals", first, n/5, n/200)
	within(t, "corrupted copies", second, copies/5, copies/50)
	within(t, "copies that come first", earlier, copies/2, copies/30)
	if s := p.Stats(); s.Duplicated != uint64(copies) || s.Corrupted != uint64(first+second) || s.Delivered != 0 {
		t.Errorf("the statistics are %+v", s)
	}
}

// The random words of a datagram depend on its number only: neither on the other settings nor on the fate of earlier
// datagrams.
func TestLuckDependsOnTheNumberOnly(t *testing.T) {
	l := netem.Link{Loss: 30 * netem.Percent, Jitter: 10 * ms, Distribution: netem.Uniform, Reorder: true}
	plain, other := path(t, 9, l), path(t, 9, l)
	for i := range 2000 {
		o := l
		switch {
		case i < 500:
			o = netem.Link{Down: true}
		case i < 1000:
			o = netem.Link{Duplicate: netem.Always, Corrupt: netem.Always, Jitter: ms, Distribution: netem.Normal}
		case i < 1500:
			o.Duplicate = netem.Always
		}
		if err := other.SetLink(o); err != nil {
			t.Fatal(err)
		}
		a, b := plain.Send(0, 1), other.Send(0, 1)
		if i >= 1000 && (a.At[0] != b.At[0] || (a.Copies == 0) != (b.Copies == 0)) {
			t.Fatalf("datagram %d: %+v and %+v", i, a, b)
		}
	}
}

// Paths with different seeds or names have unrelated random words.
func TestPathsAreUnrelated(t *testing.T) {
	type names struct{ seed, from, to uint64 }
	seen := map[time.Duration]names{}
	for seed := range uint64(20) {
		for from := range uint64(16) {
			for to := range uint64(16) {
				p := netem.NewPath(seed, from, to)
				p.SetLink(netem.Link{Jitter: time.Hour, Distribution: netem.Uniform})
				at, me := p.Send(0, 1).At[0], names{seed, from, to}
				if you, ok := seen[at]; ok {
					t.Errorf("%v and %v begin alike", me, you)
				}
				seen[at] = me
			}
		}
	}
}
