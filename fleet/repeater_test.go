package fleet

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
)

// again returns what a repeater sends at a time, in the form "recipient sender datagram".
func again(p *repeater, now time.Duration, way func(from, to int) netem.Link) (sent []string) {
	p.due(now, way, func(to int, from netip.AddrPort, datagram []byte) {
		sent = append(sent, string(rune('0'+to))+" "+from.String()+" "+string(datagram))
	})
	return sent
}

func wideWay(int, int) netem.Link { return netem.Link{} }

// A Replay sends what was recorded before it, evenly over its time, in steps of 5 ms, whenever it is asked.
func TestAReplayIsSpreadOverItsTime(t *testing.T) {
	for _, value := range []int{0, ReplayElsewhere, ReplayEarlier, ReplayEarlier | ReplayElsewhere} {
		f := Fault{Kind: Replay, Machine: 1, At: time.Second, For: 20 * time.Millisecond, Value: value}
		p := newRepeater(&Plan{Faults: []Fault{f}})
		if earlier := value&ReplayEarlier != 0; p.wantsEarlier() != earlier || p.records(0, 1) == earlier || p.records(1, 0) {
			t.Fatalf("%d: it records the wrong datagrams", value)
		}
		for i := range 8 {
			p.record(0, 1, Addr(0), []byte{'a' + byte(i)})
			p.record(1, 0, Addr(1), []byte("!"))
			p.recordEarlier(0, 1, Addr(0), []byte{'A' + byte(i)})
			p.recordEarlier(1, 0, Addr(1), []byte("!"))
		}
		p.replay(f)
		p.record(0, 1, Addr(0), []byte("later"))
		first, from := byte('a'), Addr(0)
		if value&ReplayEarlier != 0 {
			first = 'A'
		}
		if value&ReplayElsewhere != 0 {
			from = nowhere
		}
		n := byte(0)
		for _, c := range []struct {
			after, next time.Duration
			sends       int
		}{
			{0, 5 * time.Millisecond, 0},
			{4999 * time.Microsecond, 5 * time.Millisecond, 0},
			{5 * time.Millisecond, 10 * time.Millisecond, 2},
			{9 * time.Millisecond, 10 * time.Millisecond, 0},
			{16 * time.Millisecond, 20 * time.Millisecond, 4},
			{20 * time.Millisecond, time.Hour, 2},
			{time.Second, time.Hour, 0},
		} {
			var want []string
			for range c.sends {
				want = append(want, "1 "+from.String()+" "+string(first+n))
				n++
			}
			if got := again(&p, f.At+c.after, wideWay); !slices.Equal(got, want) {
				t.Errorf("%d, after %v: %q, want %q", value, c.after, got, want)
			}
			if got := p.next(f.At+c.after, f.At+time.Hour); got != f.At+c.next {
				t.Errorf("%d, after %v: next after %v, want %v", value, c.after, got-f.At, c.next)
			}
		}
		if p.replayed != 8 {
			t.Errorf("%d: %d datagrams are counted", value, p.replayed)
		}
	}
}

// A datagram that no longer fits the link is not repeated on the same path; from elsewhere it is.
func TestAReplayHasToFit(t *testing.T) {
	narrow := func(int, int) netem.Link { return netem.Link{MTU: 30, Overhead: 28} }
	for value, want := range map[int]uint64{0: 1, ReplayElsewhere: 2} {
		f := Fault{Kind: Replay, Machine: 1, Value: value}
		p := newRepeater(&Plan{Faults: []Fault{f}})
		p.record(0, 1, Addr(0), []byte("ab"))
		p.record(0, 1, Addr(0), []byte("abc"))
		p.replay(f)
		if got := again(&p, 0, narrow); uint64(len(got)) != want || p.replayed != want {
			t.Errorf("%d: %q", value, got)
		}
	}
}

// An Echo returns, once, what the machine has sent since the first of several began, when the last one ends.
func TestAnEchoReturnsWhatWasSentMeanwhile(t *testing.T) {
	p := newRepeater(&Plan{})
	send := func(text string) {
		if p.records(2, 0) {
			p.record(2, 0, Addr(2), []byte(text))
		}
	}
	var got [][]taped
	for i, change := range []int{1, 1, -1, -1, 1, -1} {
		got = append(got, p.echo(2, change))
		send(string(rune('a' + i)))
	}
	texts := func(list []taped) (s string) {
		for _, d := range list {
			s += string(d.datagram)
		}
		return s
	}
	for i, want := range []string{"", "", "", "abc", "", "e"} {
		if s := texts(got[i]); s != want {
			t.Errorf("change %d returns %q, want %q", i, s, want)
		}
	}
	if p.echoed != 4 {
		t.Errorf("%d datagrams are counted, want 4", p.echoed)
	}
}

// What is recorded is a copy, and bounded.
func TestRecordsAreBoundedCopies(t *testing.T) {
	p := newRepeater(&Plan{Faults: []Fault{{Kind: Replay, Machine: 1}, {Kind: Replay, Machine: 1, Value: ReplayEarlier}}})
	p.echo(0, 1)
	b := []byte("x")
	for range maxTaped + 1 {
		p.record(0, 1, Addr(0), b)
		p.recordEarlier(0, 1, Addr(0), b)
	}
	b[0] = 'y'
	for _, list := range [][]taped{p.tapes[1], p.earlier[1], p.echo(0, -1)} {
		if len(list) != maxTaped || string(list[0].datagram) != "x" {
			t.Errorf("%d datagrams, of which the first is %q", len(list), list[0].datagram)
		}
	}
}

// A crash waits for its moment, lets a few datagrams through, and cannot be disarmed after that moment.
func TestACrashStrikesAfterItsDatagrams(t *testing.T) {
	deciding := false
	var c crash
	strikes := func(want ...bool) {
		t.Helper()
		for i, w := range want {
			if got := c.strikes(func() bool { return deciding }); got != w {
				t.Errorf("datagram %d: %v, want %v", i, got, w)
			}
		}
	}
	deciding = true
	strikes(false) // it is not armed
	deciding = false
	c.arm(2)
	strikes(false, false, false)
	c.disarm()
	deciding = true
	strikes(false)
	c.arm(2)
	strikes(false)
	deciding = false
	c.disarm()
	strikes(false, true)
	deciding = true
	c.arm(0)
	strikes(true)
}
