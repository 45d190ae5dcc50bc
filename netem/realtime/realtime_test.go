package realtime_test

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/netem/realtime"
)

// Datagrams are sent after their delay, not before and not much later: in the time of a synctest bubble, exactly then.
// The caller may reuse its buffer.
func TestDatagramsAreSentAfterTheirDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i, m := wrap(t, netem.Link{Delay: 50 * ms})
		var want []sending
		b := make([]byte, 4)
		for n := range 100 {
			copy(b, fmt.Sprintf("%04d", n))
			if err := i.Send(bob, b); err != nil {
				t.Fatal(err)
			}
			want = append(want, sending{time.Since(m.begin) + 50*ms, bob, string(b)})
			time.Sleep(time.Duration(n%7) * ms)
		}
		time.Sleep(time.Second)
		if got := m.all(); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("sent %v, want %v", got, want)
		}
		if s := i.Stats(); s.Sent != 100 || s.Delivered != 100 || s.DeliveredBytes != 400 || s.Failed != 0 || s.InFlight() != 0 {
			t.Errorf("the statistics are %+v", s)
		}
	})
}

// By the clock of the machine, too, all datagrams are sent, in order, and not too early.
func TestInRealTime(t *testing.T) {
	const delay = 20 * ms
	i, m := wrap(t, netem.Link{Delay: delay, Jitter: 5 * ms, Distribution: netem.Exponential})
	var begins [50]time.Duration
	for n := range begins {
		begins[n] = time.Since(m.begin)
		send(t, i, bob, fmt.Sprint(n))
	}
	for deadline := time.Now().Add(10 * time.Second); len(m.all()) < len(begins); time.Sleep(ms) {
		if time.Now().After(deadline) {
			t.Fatalf("after 10 s only %d are sent", len(m.all()))
		}
	}
	for n, s := range m.all() {
		if s.text != fmt.Sprint(n) || s.at < begins[n]+delay {
			t.Errorf("datagram %d, given at %v: %+v", n, begins[n], s)
		}
	}
}

// A later datagram that is due earlier does not wait for the earlier one: the goroutine is woken up.
func TestAnEarlierTimeWakesTheGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i, m := wrap(t, netem.Link{Delay: time.Minute})
		send(t, i, alice, "slow")
		synctest.Wait()
		if err := i.SetLinkTo(bob, netem.Link{Delay: ms}); err != nil {
			t.Fatal(err)
		}
		send(t, i, bob, "fast")
		time.Sleep(time.Hour)
		if got, want := fmt.Sprint(m.all()), fmt.Sprint([]sending{{ms, bob, "fast"}, {time.Minute, alice, "slow"}}); got != want {
			t.Errorf("sent %v, want %v", got, want)
		}
	})
}

// Duplicates, corruption, losses and overtaking are counted, and the counts match what is sent.
func TestImpairmentsHappen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i, m := wrap(t, netem.Link{
			Loss: 20 * netem.Percent, Duplicate: 20 * netem.Percent, Corrupt: 20 * netem.Percent,
			Jitter: 50 * ms, Distribution: netem.Uniform, Reorder: true,
		})
		const text = "what is sent"
		for range 2000 {
			send(t, i, bob, text)
			time.Sleep(ms)
		}
		time.Sleep(time.Second)
		corrupted := uint64(0)
		for _, s := range m.all() {
			if s.text != text {
				corrupted++
			}
		}
		s := i.Stats()
		if s.Lost < 300 || s.Duplicated < 200 || s.Corrupted < 300 || s.Overtaken < 500 ||
			s.Corrupted != corrupted || s.Delivered != uint64(len(m.all())) || s.InFlight() != 0 {
			t.Errorf("%d are sent, %d corrupted: %+v", len(m.all()), corrupted, s)
		}
	})
}

// Each destination has its own random stream, by its number: traffic to one does not affect another, and addresses do
// not matter.
func TestDestinationsHaveStreamsOfTheirOwn(t *testing.T) {
	texts := func(first, second netip.AddrPort, noise int) (got string) {
		synctest.Test(t, func(t *testing.T) {
			i, m := wrap(t, netem.Link{Loss: 50 * netem.Percent})
			for n := range 200 {
				send(t, i, first, fmt.Sprint(n))
				for range noise {
					send(t, i, second, "noise")
				}
			}
			synctest.Wait()
			for _, s := range m.all() {
				if s.to == first {
					got += s.text + " "
				}
			}
		})
		return got
	}
	quiet := texts(alice, bob, 0)
	if noisy := texts(alice, bob, 3); quiet != noisy {
		t.Errorf("%s\nand with noise\n%s", quiet, noisy)
	}
	if other := texts(bob, alice, 1); quiet != other {
		t.Errorf("%s\nand for another address\n%s", quiet, other)
	}
}

// Datagrams beyond MaxWaiting are dropped and counted.
func TestTheQueueIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i, m := wrap(t, netem.Link{Delay: time.Second})
		for range realtime.MaxWaiting + 10 {
			send(t, i, bob, "x")
		}
		time.Sleep(time.Minute)
		if s := i.Stats(); s.Dropped != 10 || len(m.all()) != realtime.MaxWaiting || s.InFlight() != 0 {
			t.Errorf("%d are sent: %+v", len(m.all()), s)
		}
	})
}

// Any number of strangers cannot fill the memory, and they are counted nevertheless.
func TestDestinationsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i, m := wrap(t, netem.Link{Delay: time.Second})
		const n = 3 * realtime.MaxDestinations / 2
		for p := range uint16(n) {
			send(t, i, netip.AddrPortFrom(alice.Addr(), 1+p), "x")
		}
		if err := i.SetLink(netem.Link{}); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Minute)
		if s := i.Stats(); s.Sent != n || s.Delivered != n || len(m.all()) != n {
			t.Errorf("%d are sent: %+v", len(m.all()), s)
		}
	})
}

// Errors of the transport are counted, and the latest one can be read.
func TestErrorsAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i, m := wrap(t, netem.Link{})
		if i.Err() != nil {
			t.Error(i.Err())
		}
		m.fail = errors.New("no route")
		send(t, i, bob, "a")
		send(t, i, bob, "b")
		synctest.Wait()
		if s := i.Stats(); s.Failed != 2 || s.Delivered != 2 || i.Err() != m.fail {
			t.Errorf("%+v, %v", s, i.Err())
		}
	})
}

// An invalid link is refused, and changes nothing; so is a datagram that is too large.
func TestWhatCannotBeIsRefused(t *testing.T) {
	bad := netem.Link{Delay: -1}
	if _, err := realtime.Wrap(newMemory(), bad, 1); !errors.Is(err, netem.ErrLink) {
		t.Error(err)
	}
	synctest.Test(t, func(t *testing.T) {
		i, m := wrap(t, netem.Link{})
		for _, err := range []error{i.SetLink(bad), i.SetLinkTo(bob, bad)} {
			if !errors.Is(err, netem.ErrLink) {
				t.Error(err)
			}
		}
		if err := i.Send(bob, make([]byte, netem.MaxSize+1)); err == nil || !strings.Contains(err.Error(), "65536 bytes") {
			t.Error(err)
		}
		send(t, i, bob, strings.Repeat("x", netem.MaxSize))
		synctest.Wait()
		if len(m.all()) != 1 {
			t.Errorf("%d are sent", len(m.all()))
		}
	})
}

// Received datagrams are those of the transport.
func TestReceivingIsPassedOn(t *testing.T) {
	i, m := wrap(t, netem.Awful())
	buf := make([]byte, 100)
	n, from, at, ok := i.Receive(buf)
	if !bytes.Equal(buf[:n], []byte("received")) || from != bob || at != m.begin || !ok {
		t.Errorf("%q, %v, %v, %v", buf[:n], from, at, ok)
	}
	if i.Notify() != m.Notify() {
		t.Error("the channel is another one")
	}
}

// All methods may be called at the same time; nothing is lost between them.
func TestConcurrentUse(t *testing.T) {
	i, m := wrap(t, netem.Link{Jitter: ms, Distribution: netem.Exponential, Reorder: true})
	var senders sync.WaitGroup
	for g := range 4 {
		senders.Go(func() {
			for n := range 200 {
				if err := i.Send(netip.AddrPortFrom(alice.Addr(), uint16(1+n%3)), fmt.Appendf(nil, "%d %d", g, n)); err != nil {
					t.Error(err)
				}
				if n%50 == 0 {
					i.SetLink(netem.Link{Jitter: ms, Distribution: netem.Uniform})
					i.Stats()
				}
			}
		})
	}
	senders.Wait()
	for deadline := time.Now().Add(10 * time.Second); i.Stats().InFlight() > 0 && time.Now().Before(deadline); {
		time.Sleep(ms)
	}
	seen := map[string]bool{}
	for _, s := range m.all() {
		seen[s.text] = true
	}
	if len(seen) != 800 || len(m.all()) != 800 {
		t.Errorf("%d are sent, %d different ones", len(m.all()), len(seen))
	}
}

// sink is a transport that stores nothing.
type sink struct{ *memory }

func (sink) Send(netip.AddrPort, []byte) error { return nil }

// In the steady state nothing is allocated.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	i, err := realtime.Wrap(sink{newMemory()}, netem.Link{Jitter: 10 * time.Microsecond, Distribution: netem.Uniform}, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer i.Close()
	datagram := make([]byte, 100)
	exchange := func() {
		for range 100 {
			if err := i.Send(bob, datagram); err != nil {
				t.Error(err)
			}
		}
		for i.Stats().InFlight() > 0 {
			runtime.Gosched()
		}
	}
	exchange()
	if n := testing.AllocsPerRun(20, exchange); n > 10 { // one buffer for each would be 100
		t.Errorf("%v allocations", n)
	}
}
