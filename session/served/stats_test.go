package served

import (
	"errors"
	"testing"
	"time"

	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/sequencer"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/datagram"
)

func outcomeOf() stream.Outcome {
	return stream.Outcome{
		Result: 7, Finished: true, Left: 1<<15 | 2,
		Summary: stream.Summary{Frames: 300, Hash: 4, Chain: 5, Resimulated: 6, Health: stream.Healthy},
	}
}

// Rule: the figures of a server and of a client are those of the match.
func TestFiguresOfAMatch(t *testing.T) {
	f := newFixture(t)
	p, _ := f.honest.Player()
	q, _ := f.other.Player()
	s := f.server.Stats(nil)
	if s.Phase != session.Playing || s.Match != 1 || s.Prepared != 1 || s.Members.Len() != 2 || s.Frame != f.server.Frame() || len(s.Links) != 2 || s.Datagrams == 0 || s.Nominal != 20*time.Millisecond || s.Uptime > f.now || s.Uptime < f.now-2*time.Millisecond {
		t.Errorf("%+v", s)
	}
	for _, l := range s.Links {
		if !l.Connected || l.Players.Len() != 1 || l.Sent == 0 || l.Received == 0 {
			t.Errorf("%+v", l)
		}
	}
	k, ok := f.server.Client(p)
	if !ok || k.Player != p || k.Behind < 0 || k.Behind > 3 || k.Plain || k.Inputs < 80 || k.Replaced > 10 {
		t.Errorf("%+v, %v", k, ok)
	}
	if _, ok := f.server.Client(2); ok {
		t.Error("nobody has figures")
	}
	if _, ok := f.server.Client(200); ok {
		t.Error("a player that there is not has figures")
	}
	if m := f.honest.Members(); m != f.server.Members() || !m.Has(p) || !m.Has(q) {
		t.Errorf("%v play, says the client, and %v, says the server", m, f.server.Members())
	}
	c := f.honest.Stats(nil)
	if c.Members != s.Members || c.Health != stream.Healthy || c.Confirmed+4 < s.Frame || !c.Links[0].Connected || c.Links[0].Addr != serverAddr || c.Window != 50 || c.Prepared != 1 || c.Uptime > f.now || c.Uptime < f.now-200*time.Millisecond {
		t.Errorf("%+v", c)
	}
	for _, e := range f.honest.Events() {
		if e.What == event.Left {
			t.Errorf("%v, though nobody has left", e)
		}
	}
	if n := f.honest.Counts(); n.Updates < 80 || n.Wholes != 1 {
		t.Errorf("%+v", n)
	}
	f.other.Leave("")
	f.run(100 * time.Millisecond)
	if f.other.Members() != 0 || f.honest.Members().Has(q) || f.server.clients.gone(3) != PlayerSet(7)&^(1<<p) {
		t.Errorf("%v play after one has left; %v are gone", f.honest.Members(), f.server.clients.gone(3))
	}
	if err := f.other.Record(nil, stream.Wants{}); !errors.Is(err, session.ErrClosed) {
		t.Errorf("a client that has left records: %v", err)
	}
}

// Rule: others are shown Behind before the newest state, between two that are known.
func TestWhatIsShownOfOthers(t *testing.T) {
	f := newFixture(t)
	c := f.honest
	last := time.Duration(-1)
	for range 500 {
		f.run(time.Millisecond)
		s, ok := c.Shown(f.now)
		if !ok || s.Before == nil || s.After == nil {
			t.Fatal("nothing is shown")
		}
		if s.Passed < 0 || s.Passed > s.Period || s.Period != 20*time.Millisecond && s.Period != 0 {
			t.Fatalf("%v of %v have passed", s.Passed, s.Period)
		}
		// Sum counts ticks here, one input each: where the two states are in time.
		p, _ := c.Player()
		at := time.Duration(s.Before.Ticks[p])*20*time.Millisecond + s.Passed
		if s.After.Ticks[p]-s.Before.Ticks[p] > 1 {
			t.Fatalf("from tick %d to %d", s.Before.Ticks[p], s.After.Ticks[p])
		}
		if last >= 0 && (at < last || at > last+5*time.Millisecond) {
			t.Fatalf("in a millisecond from %v to %v", last, at)
		}
		last = at
		if s.Seen < 4 || s.Seen > 9 { // 100 ms, and what the client is ahead
			t.Fatalf("%d ticks ago", s.Seen)
		}
		if behind := time.Duration(f.server.State().Ticks[p])*20*time.Millisecond - at; behind < 80*time.Millisecond || behind > 140*time.Millisecond {
			t.Fatalf("%v behind the server", behind)
		}
	}
}

// Rule: the shown moment advances with the time. It stops at the newest state, catches up at one and a half times
// the speed at most, slows down to half at most, never goes back, and jumps only over large distances.
func TestTheMomentThatIsShown(t *testing.T) {
	const ms = time.Millisecond
	var p playout
	for i, c := range []struct{ should, now, newest, want time.Duration }{
		{1000, 5000, 2000, 1000},
		{1020, 5020, 2000, 1020},
		{1050, 5040, 2000, 1050}, // 10 ms more, as it should be
		{1100, 5060, 2000, 1080}, // half as fast again
		{1120, 5080, 1090, 1090}, // nothing newer is known
		{1140, 5100, 1090, 1090},
		{1160, 5120, 2000, 1120},
		{1180, 5140, 2000, 1150},
		{1200, 5160, 2000, 1180},
		{1220, 5180, 2000, 1210},
		{1240, 5200, 2000, 1240},
		{1200, 5220, 2000, 1250}, // half as fast
		{1220, 5240, 2000, 1260},
		{1258, 5260, 2000, 1270},
		{1289, 5280, 2000, 1289},
		{1289, 5280, 2000, 1289}, // no time passes
		{1809, 5300, 2000, 1319},
		{1849, 5320, 2000, 1849}, // far away
		{1340, 5340, 2000, 1340}, // back, far
		{1360, 5330, 2000, 1360}, // the time goes back: as it should be
	} {
		if got := p.move(c.should*ms, c.now*ms, c.newest*ms); got != c.want*ms {
			t.Errorf("%d: %v, want %v", i, got, c.want*ms)
		}
	}
}

// Rule: received data is shown with the next update, even if no tick is due.
func TestWhatIsToldIsShownAtOnce(t *testing.T) {
	f := newFixture(t)
	n := uint16(0)
	f.other.nextInput.sample = func(Player) uint16 { // nobody can predict it
		n = n*31 + 7
		return n
	}
	behind := 0
	for range 200 {
		f.run(time.Millisecond)
		if f.honest.clientMatch.shown() != f.honest.clientMatch.newest {
			behind++
		}
	}
	if behind > 0 {
		t.Errorf("in %d of 200 milliseconds the newest known state is not shown", behind)
	}
}

// Rule: a client reports how long it has heard nothing, while it is connected, and how long its tick periods are:
// shorter while it wants to be farther ahead.
func TestFiguresOfAWay(t *testing.T) {
	f := newFixture(t)
	if s := f.other.Stats(nil); s.Links[0].Quiet > 20*time.Millisecond || s.Period < period*99/100 || s.Period > period*101/100 {
		t.Errorf("heard %v ago, in periods of %v", s.Links[0].Quiet, s.Period)
	}
	for range 1000 {
		f.now += time.Millisecond
		f.other.Update(f.now)
	}
	if s := f.other.Stats(nil); s.Links[0].Quiet < 950*time.Millisecond || s.Links[0].Quiet > time.Second+20*time.Millisecond {
		t.Errorf("heard %v ago", s.Links[0].Quiet)
	}
	f.other.Leave("")
	if s := f.other.Stats(nil); s.Links[0].Quiet != 0 || s.Links[0].Connected {
		t.Errorf("%+v", s.Links[0])
	}
	var late []sequencer.Margin
	for k := f.honest.Frame() - 20; k < f.honest.Frame(); k++ {
		late = append(late, sequencer.Margin{Tick: k, Early: -60 * time.Millisecond})
	}
	f.honest.timing.told(late)
	if s := f.honest.Stats(nil); s.Period > period*99/100 || s.Period < period/2 {
		t.Errorf("late, it runs in periods of %v", s.Period)
	}
}

// Rule: invalid datagrams are counted: empty ones, those that are too long, and half a request.
func TestWhatIsNoDatagramIsCounted(t *testing.T) {
	f := newFixture(t)
	for n, b := range [][]byte{nil, make([]byte, datagram.MaxSize+1), {0xFF}, {datagram.KindAttach}, {datagram.KindWatch, 1}} {
		f.server.Receive(f.now, strangerAddr, b)
		if got := f.server.Counts().Strangers; got != uint64(n+1) {
			t.Errorf("%d strangers after %d", got, n+1)
		}
	}
}

// Rule: that a recording is complete is an event, at a server and at a client.
func TestThatARecordingIsCompleteIsAnEvent(t *testing.T) {
	f := newFixture(t)
	for whose, s := range map[string]interface {
		Recorded(next Frame, why string)
		Events() []Event
	}{"the server's": f.server, "the client's": f.other} {
		s.Events()
		s.Recorded(7, "the disk is full")
		if list := s.Events(); len(list) != 1 || list[0].What != event.Recorded || list[0].Frame != 7 || list[0].Text != "the disk is full" {
			t.Errorf("%s: %v", whose, list)
		}
	}
}

// Rule: the playing time of a match stops once it is over.
func TestTheTimeOfAMatchThatIsOver(t *testing.T) {
	f := newFixture(t)
	was := f.server.Stats(nil).Uptime
	f.run(time.Second)
	if s := f.server.Stats(nil); s.Uptime != was+time.Second {
		t.Errorf("a second later it has been played for %v, and %v before", s.Uptime, was)
	}
	f.server.Leave("it is over")
	f.run(100 * time.Millisecond)
	end, seen := f.server.Stats(nil).Uptime, f.honest.Stats(nil).Uptime
	f.run(10 * time.Second)
	if s := f.server.Stats(nil); s.Phase != session.Over || s.Uptime != end || end < was+time.Second || end > was+1100*time.Millisecond {
		t.Errorf("the server is %v, and has played for %v; when it ended %v", s.Phase, s.Uptime, end)
	}
	if s := f.honest.Stats(nil); s.Phase != session.Over || s.Uptime != seen || seen > end || seen < end-300*time.Millisecond {
		t.Errorf("the client is %v, and has played for %v; when it ended %v, on the server %v", s.Phase, s.Uptime, seen, end)
	}
}

// Rule: nothing is shown if the newest known state is not held.
func TestNothingIsShownOfAStateThatIsNotHeld(t *testing.T) {
	f := newFixture(t)
	c := f.other
	if _, ok := c.Shown(f.now); !ok {
		t.Fatal("nothing is shown")
	}
	c.clientMatch.full, c.clientMatch.newest = false, c.engine.Frame()+100
	if s, ok := c.Shown(f.now); ok || s.Before != nil || s.After != nil {
		t.Errorf("%+v is shown", s)
	}
}
