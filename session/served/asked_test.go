package served

import (
	"bytes"
	"testing"
	"time"

	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/session/reliable"
	"github.com/tickback/tickback/wire/datagram"
)

// Rule: an answer measures the round trip if it names a Hello that was sent. One that names another is still an
// answer, but measures nothing.
func TestOnlyAHelloThatWasSentMeasuresTheWay(t *testing.T) {
	const sent, took = 3, 40 * time.Millisecond
	for attempt := range byte(sent + 3) {
		var c peer.Caller
		out := peer.Outbox{Most: 2 * sent}
		c.Begin(serverAddr, 7, time.Second, peer.HelloInterval)
		for range sent {
			c.Hello(time.Second, time.Hour, &out)
		}
		w := datagram.Welcome{Version: datagram.Version, Nonce: 9, Attempt: attempt}
		_, p, ok := c.Answered(time.Second+took, datagram.Key(7).Seal(w.Append(nil), 0, 0), time.Second/60)
		if !ok {
			t.Fatalf("the answer to Hello %d is none", attempt)
		}
		want := time.Duration(0)
		if attempt >= 1 && attempt <= sent {
			want = took
		}
		// Datagrams sent to the server return as soon as an answer can have arrived.
		if err := p.Channel.Send([]byte("x")); err != nil {
			t.Fatal(err)
		}
		again := time.Duration(reliable.InitialTimeout)
		if want > 0 {
			again = p.Timeout()
		}
		p.Channel.Append(nil, 100, 0)
		if at, _ := p.Channel.Due(1); at != again || want > 0 == (again == reliable.InitialTimeout) {
			t.Errorf("an answer to Hello %d of %d: what is sent comes again after %v, want %v", attempt, sent, at, again)
		}
		if got := p.RoundTrip.Smoothed; got != want {
			t.Errorf("an answer to Hello %d of %d: the way takes %v, want %v", attempt, sent, got, want)
		}
	}
}

// Rule: a client that was heard in its last two ticks, at any tick rate, and in the last 50 ms, cannot lose its place
// to somebody who forwards its datagrams; and however slow its match is, it may move after peer.ReportAfter.
func TestHowLongAClientIsHeard(t *testing.T) {
	for period, want := range map[time.Duration]time.Duration{
		time.Millisecond:       50 * time.Millisecond,
		time.Second / 60:       50 * time.Millisecond,
		25 * time.Millisecond:  50 * time.Millisecond,
		50 * time.Millisecond:  100 * time.Millisecond,
		100 * time.Millisecond: 200 * time.Millisecond,
		time.Second:            peer.ReportAfter,
	} {
		if got := quiet(period); got != want {
			t.Errorf("at %v a tick: %v, want %v", period, got, want)
		}
	}
}

// Rule: a report has the ticks before a difference as far as all of them were sent, and not those before a gap, since
// nobody can simulate from there.
func TestAReportBeginsBehindAGap(t *testing.T) {
	f := newFixture(t)
	e := f.other.engine
	state := min(e.Agreed(), e.Final())
	for _, since := range []Frame{0, 1, 3, 20} {
		q := f.other.clientMatch.inquiry
		q.begun = state - since
		q.notice(state, 0, e.StateAt(state))
		q.retrace(e)
		if q.report.State != uint32(state) || q.report.First != uint32(state-since) {
			t.Errorf("of state %d, with all known from %d on, the report begins with %d", q.report.State, q.begun, q.report.First)
		}
	}
}

// Rule: a report has everything that happened in a tick: inputs, orders of any length, and absent players.
func TestAReportHasOrders(t *testing.T) {
	f := newFixture(t)
	orders := []byte(nil)
	f.other.nextInput.order = func(Player) []byte { return orders }
	f.run(100 * time.Millisecond)
	for _, want := range [][]byte{{7}, nil, {1, 2, 3, 4}} {
		orders = want
		f.run(500 * time.Millisecond)
		e, p := f.other.engine, f.other.clientMatch.player
		a := f.other.clientMatch.inquiry.frame(e, min(e.Agreed(), e.Final())-1)
		if want == nil && a.Orders != nil || want != nil && (a.Orders == nil || !bytes.Equal(a.Orders[p], want)) {
			t.Errorf("of the orders %v the report has %v", want, a.Orders)
		}
		if len(a.Inputs) != 3*2 || a.Gone != 1<<2 {
			t.Errorf("it has %d bytes of inputs, and %b are gone", len(a.Inputs), a.Gone)
		}
	}
}

// Rule: a server can say that ticks are due later by up to 2^20 periods, and no more than that.
func TestHowFarTicksSlip(t *testing.T) {
	for periods, want := range map[uint32]error{0: datagram.ErrRange, 1: nil, 1 << 20: nil, 1<<20 + 1: datagram.ErrRange} {
		if n, err := consumeSlipped(appendSlipped(nil, periods)[1:]); err != want || err == nil && n != periods {
			t.Errorf("%d periods: %d, %v", periods, n, err)
		}
	}
}

// Rule: however often its server says that ticks are due later, a client counts at most a thousand hours.
func TestHowFarAServerSlipsInAll(t *testing.T) {
	s := timing{nominal: time.Minute}
	if s.slipped(59_999); s.slip != 59_999*time.Minute {
		t.Errorf("%v later", s.slip)
	}
	for range 3 {
		if s.slipped(2); s.slip != 60_000*time.Minute {
			t.Errorf("%v later", s.slip)
		}
	}
}

// Rule: an interrupted path is distinguished from one that reorders by how long nothing arrived: eight inputs up to 60
// ticks a second, and the same time above that, since at 1,000 ticks many more than eight arrive at once on any path.
func TestWhatCountsAsACut(t *testing.T) {
	for rate, want := range map[int]int{1: 8, 20: 8, 60: 8, 120: 16, 1000: 133} {
		g := Game{TickRate: rate}
		if got := g.longLost(); got != want {
			t.Errorf("at %d a second %d inputs, want %d", rate, got, want)
		}
	}
}

// Rule: however long its path is, a client begins one tick less ahead than the maximum, so that it plays at once.
func TestAClientBeginsNoFartherAheadThanItCanPlay(t *testing.T) {
	f := newFixture(t)
	c := f.other
	c.server.pipe.RoundTrip.Smoothed = time.Hour
	from := c.clientMatch.newest
	if c.play(from); c.engine.Frame() != from+Frame(c.cfg.MaxAhead)-1 || c.Err() != nil {
		t.Errorf("it begins %d ticks ahead, of %d: %v", c.engine.Frame()-from, c.cfg.MaxAhead, c.Err())
	}
}
