package netem_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"weak"

	"github.com/tickback/tickback/netem"
)

// drain receives all datagrams that are due, as "from>to payload".
func drain[T any](n *netem.Network[T], now time.Duration) []string {
	var got []string
	for {
		d, ok := n.Receive(now)
		if !ok {
			return got
		}
		got = append(got, fmt.Sprintf("%d>%d %v", d.From, d.To, d.Payload))
	}
}

func network[T any](t testing.TB, nodes int, l netem.Link, o netem.Options[T]) *netem.Network[T] {
	t.Helper()
	n := must(netem.New(nodes, 1, o))
	if err := n.SetAll(l); err != nil {
		t.Fatal(err)
	}
	return n
}

func equal(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("received %q, want %q", got, want)
	}
}

// Datagrams that arrive at the same time come in the order of sending, whatever the link.
func TestTiesComeInTheOrderOfSending(t *testing.T) {
	n := network(t, 3, netem.Link{Delay: 20 * ms}, netem.Options[string]{})
	if err := n.SetLink(2, 0, netem.Link{Delay: 10 * ms}); err != nil {
		t.Fatal(err)
	}
	n.Send(0, 1, 0, 1, "a")
	n.Send(10*ms, 2, 0, 1, "c")
	n.Send(0, 0, 1, 1, "b") // counts as sent at 10 ms
	n.Send(10*ms, 2, 0, 1, "d")
	if at, ok := n.Next(); at != 20*ms || !ok {
		t.Errorf("next at %v, %v", at, ok)
	}
	equal(t, drain(n, 19*ms))
	equal(t, drain(n, 20*ms), "1>0 a", "2>0 c", "2>0 d")
	equal(t, drain(n, 30*ms), "0>1 b")
	if _, ok := n.Next(); ok {
		t.Error("there is a next one")
	}
}

// A Receive at an earlier time only returns datagrams that were due by then, and a datagram sent at an earlier time is
// sent at the latest known time.
func TestTimeDoesNotGoBack(t *testing.T) {
	n := network(t, 2, netem.Link{Delay: 10 * ms}, netem.Options[int]{})
	n.Send(0, 0, 1, 1, 1)
	equal(t, drain(n, 100*ms), "0>1 1")
	n.Send(50*ms, 0, 1, 1, 2)
	equal(t, drain(n, 109*ms))
	n.Send(0, 0, 1, 1, 3) // Receive moves the clock as well
	equal(t, drain(n, 110*ms), "0>1 2")
	equal(t, drain(n, 5*ms))
	equal(t, drain(n, 119*ms), "0>1 3")
}

// Times before the epoch and at the limits of the range work like others.
func TestExtremeTimes(t *testing.T) {
	const farthest = time.Duration(1<<63 - 1)
	n := network(t, 2, netem.Link{Delay: ms, Bandwidth: 1000, Reorder: true}, netem.Options[int]{})
	for i, now := range []time.Duration{-farthest - 1, -time.Hour, -time.Hour, 0, farthest, farthest} {
		n.Send(now, 0, 1, 100, i)
	}
	if at, ok := n.Next(); !ok || at > -time.Hour {
		t.Errorf("next at %v", at)
	}
	equal(t, drain(n, 0), "0>1 0", "0>1 1", "0>1 2")
	equal(t, drain(n, farthest), "0>1 3", "0>1 4", "0>1 5")
}

// A cut takes effect in its direction only, and on datagrams sent from then on: those in flight still arrive. New
// settings do not restore the link.
func TestCutIsOneWayAndSparesWhatIsInFlight(t *testing.T) {
	l := netem.Link{Delay: 10 * ms}
	n := network(t, 2, l, netem.Options[string]{})
	n.Send(0, 0, 1, 1, "before")
	n.Cut(0, 1, true)
	n.Send(0, 0, 1, 1, "cut")
	n.Send(0, 1, 0, 1, "back")
	if err := n.SetAll(l); err != nil || !n.IsCut(0, 1) || n.IsCut(1, 0) {
		t.Errorf("%v, cut: %v %v", err, n.IsCut(0, 1), n.IsCut(1, 0))
	}
	n.Send(0, 0, 1, 1, "still cut")
	n.Cut(0, 1, false)
	n.Send(0, 0, 1, 1, "healed")
	equal(t, drain(n, 10*ms), "0>1 before", "1>0 back", "0>1 healed")
	if s := n.Stats(0, 1); s.Cut != 2 || s.Sent != 4 || s.Delivered != 2 {
		t.Errorf("the statistics are %+v", s)
	}
}

// Traffic on one link, and its settings, do not affect another one.
func TestLinksDoNotInfluenceEachOther(t *testing.T) {
	run := func(noise bool) []string {
		n := network(t, 3, netem.Awful(), netem.Options[int]{})
		var got []string
		for i := range 500 {
			now := time.Duration(i) * 10 * ms
			n.Send(now, 0, 1, 10, i)
			if noise {
				n.Send(now, 1, 0, 10, i)
				n.Send(now, 0, 2, 10, i)
			}
			for {
				d, ok := n.Receive(now)
				if !ok {
					break
				}
				if d.From == 0 && d.To == 1 {
					got = append(got, fmt.Sprint(d))
				}
			}
		}
		return got
	}
	quiet, noisy := run(false), run(true)
	if len(quiet) < 100 || !slices.Equal(quiet, noisy) {
		t.Errorf("%d deliveries without noise, %d with it, or others", len(quiet), len(noisy))
	}
}

// Clone makes copies, and Corrupt corrupts them; each delivery has its own payload.
func TestPayloadsAreClonedAndCorrupted(t *testing.T) {
	o := netem.Options[[]int]{
		Clone:   slices.Clone[[]int],
		Corrupt: func(p []int, random uint64) []int { p[0] = -1; return p },
	}
	n := network(t, 2, netem.Link{Duplicate: netem.Always, Corrupt: 50 * netem.Percent}, o)
	seen := map[string]int{}
	for range 400 {
		n.Send(0, 0, 1, 1, []int{7})
		seen[strings.Join(drain(n, 0), " ")]++
	}
	for _, pair := range []string{"0>1 [7] 0>1 [7]", "0>1 [7] 0>1 [-1]", "0>1 [-1] 0>1 [7]", "0>1 [-1] 0>1 [-1]"} {
		within(t, pair, int64(seen[pair]), 100, 30)
	}
}

// Without Corrupt, a corrupted datagram is lost, and counts as both; an intact copy arrives alone.
func TestCorruptionWithoutAFunctionIsLoss(t *testing.T) {
	n := network(t, 2, netem.Link{Duplicate: netem.Always, Corrupt: 50 * netem.Percent}, netem.Options[int]{})
	var alone int64
	for i := range 4000 {
		n.Send(0, 0, 1, 1, i)
		got := drain(n, 0)
		for _, g := range got {
			if g != fmt.Sprintf("0>1 %d", i) {
				t.Fatalf("datagram %d: %s", i, g)
			}
		}
		if len(got) == 1 {
			alone++
		}
	}
	within(t, "one of the two", alone, 2000, 150)
	s := n.Stats(0, 1)
	within(t, "lost", int64(s.Lost), 4000, 150)
	if s.Lost != s.Corrupted || s.InFlight() != 0 {
		t.Errorf("the statistics are %+v", s)
	}
}

// Datagrams beyond InFlight are dropped and counted, and there is room again later.
func TestInFlightIsBounded(t *testing.T) {
	n := network(t, 2, netem.Link{Delay: ms}, netem.Options[int]{InFlight: 3})
	for i := range 5 {
		n.Send(0, 0, 1, 1, i)
	}
	equal(t, drain(n, ms), "0>1 0", "0>1 1", "0>1 2")
	n.Send(ms, 0, 1, 1, 5)
	equal(t, drain(n, 2*ms), "0>1 5")
	if s := n.Stats(0, 1); s.Dropped != 2 {
		t.Errorf("the statistics are %+v", s)
	}
}

// A network keeps no references to delivered payloads.
func TestDeliveredPayloadsAreLetGo(t *testing.T) {
	n := network(t, 2, netem.Link{}, netem.Options[*[1000]int]{})
	payload := new([1000]int)
	gone := weak.Make(payload)
	n.Send(0, 0, 1, 1, payload)
	n.Receive(0)
	payload = nil
	runtime.GC()
	if gone.Value() != nil {
		t.Error("the payload is still held")
	}
	runtime.KeepAlive(n)
}

// Overtaken counts datagrams that arrive after one that was sent later.
func TestOvertakenIsCounted(t *testing.T) {
	n := network(t, 2, netem.Link{Delay: 30 * ms, Reorder: true}, netem.Options[int]{})
	n.Send(0, 0, 1, 1, 0)
	n.Send(0, 0, 1, 1, 1)
	if err := n.SetAll(netem.Link{Delay: 10 * ms, Reorder: true}); err != nil {
		t.Fatal(err)
	}
	n.Send(0, 0, 1, 1, 2)
	n.Send(25*ms, 0, 1, 1, 3)
	equal(t, drain(n, time.Second), "0>1 2", "0>1 0", "0>1 1", "0>1 3")
	if s := n.Stats(0, 1); s.Overtaken != 2 {
		t.Errorf("the statistics are %+v", s)
	}
}

// Misuse is an error when a network is made, and later a panic that names it.
func TestMisuse(t *testing.T) {
	for _, c := range []struct{ nodes, inFlight int }{{0, 0}, {-1, 0}, {netem.MaxNodes + 1, 0}, {2, -1}, {2, netem.MaxInFlight + 1}} {
		if _, err := netem.New(c.nodes, 1, netem.Options[int]{InFlight: c.inFlight}); !errors.Is(err, netem.ErrConfig) {
			t.Errorf("%+v: %v", c, err)
		}
		if _, err := netem.NewDatagrams(c.nodes, 1, c.inFlight); !errors.Is(err, netem.ErrConfig) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	n := network(t, 2, netem.Link{}, netem.Options[int]{})
	for want, f := range map[string]func(){
		"no link from 0 to 2":         func() { n.Send(0, 0, 2, 1, 1) },
		"no link from -1 to 0":        func() { n.Cut(-1, 0, true) },
		"no link from 2 to 0":         func() { n.SetLink(2, 0, netem.Link{}) },
		"no link from 0 to -1":        func() { n.Stats(0, -1) },
		"a datagram of -1 bytes":      func() { n.Send(0, 0, 1, -1, 1) },
		"a datagram of 65536 bytes":   func() { n.Send(0, 0, 1, netem.MaxSize+1, 1) },
		"a datagram of 100000 bytes:": func() { must(netem.NewDatagrams(2, 1, 0)).Send(0, 0, 1, make([]byte, 100_000)) },
	} {
		func() {
			defer func() {
				if text := fmt.Sprint(recover()); !strings.Contains(text, want) {
					t.Errorf("%q does not say %q", text, want)
				}
			}()
			f()
		}()
	}
	if s := n.TotalStats(); s != (netem.Stats{}) {
		t.Errorf("the statistics are %+v", s)
	}
}

// The largest network distinguishes all of its nodes.
func TestTheLargestNetwork(t *testing.T) {
	n := must(netem.New(netem.MaxNodes, 1, netem.Options[int]{}))
	last := n.Nodes() - 1
	n.Send(0, last, last, 1, 1)
	n.Send(0, last, 0, 1, 2)
	n.Send(0, 0, last, netem.MaxSize, 3)
	equal(t, drain(n, 0), "255>255 1", "255>0 2", "0>255 3")
	if s := n.Stats(0, last); s.DeliveredBytes != netem.MaxSize {
		t.Errorf("the statistics are %+v", s)
	}
}
