package served

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/wire/datagram"
)

// Rule: inputs of ticks that are too far ahead are counted, each one; if all that arrived are, nothing else changes;
// earlier ones are taken.
func TestInputsTooFarAheadAreCounted(t *testing.T) {
	for _, c := range []struct {
		end   int // of the inputs: the first tick that is too far ahead
		count uint32
		early uint64
		taken bool
	}{{0, 1, 0, true}, {1, 1, 1, false}, {1, 2, 1, true}, {2, 2, 2, false}, {3, 5, 3, true}, {9, 4, 4, false}} {
		f := newFixture(t)
		f.mute = true
		p, _ := f.other.Player()
		k := f.server.clients.of[p]
		limit := uint32(f.server.sequencer.Next()) + 241
		next := k.inputs.Next()
		before := f.server.Counts().Early
		head := clientBody{next: uint32(int(limit) + c.end), count: c.count}
		f.say(head.append(nil))
		if n := f.server.Counts().Early - before; n != c.early || (k.inputs.Next() != next) != c.taken || k.gone != "" {
			t.Errorf("%d inputs, the last one %d too far ahead: %d are counted, and the server waits for %+d: %q", c.count, c.end, n, k.inputs.Next()-next, k.gone)
		}
		if k.inputs.Next() > limit {
			t.Errorf("inputs are taken up to %d, beyond the limit of %d", k.inputs.Next(), limit)
		}
	}
}

// Rule: a client that sends an invalid body is removed.
func TestABodyThatIsNone(t *testing.T) {
	for _, body := range [][]byte{{}, {1, 2}, {upEnd, 0, 0}, {upState, 0, 0, 0x80}, {0, 0, 0, 9}, {upInputs, 9, 0, 0}} {
		f := newFixture(t)
		p, _ := f.other.Player()
		f.say(body)
		f.server.Update(f.now)
		if f.server.Members().Has(p) || f.server.Counts().Broken != 1 {
			t.Errorf("%x: %v play, %+v", body, f.server.Members(), f.server.Counts())
		}
	}
}

// Rule: a game without inputs has none to send.
func TestAGameWithoutInputsSendsNone(t *testing.T) {
	var u upstream
	u.begin(10)
	u.push(10, nil)
	var head clientBody
	if u.due(&head, datagram.MaxSize); head.count != 0 || head.block != nil || head.next != 0 {
		t.Errorf("%+v", head)
	}
	u = upstream{size: 1} // nor has a client that has not begun
	if u.due(&head, datagram.MaxSize); head.count != 0 || head.block != nil {
		t.Errorf("%+v", head)
	}
}

// Rule: a server that makes up for ticks only tells its clients about the last one; one that is always behind tells them
// twice per period, not about each tick.
func TestOfWhichTicksASlowServerTells(t *testing.T) {
	const period, ms = 20 * time.Millisecond, time.Millisecond
	for cost, want := range map[time.Duration]int{1 * ms: 10, 4 * ms: 33, 10 * ms: 100, 19 * ms: 100} {
		tk, told := ticking{due: -time.Hour}, 0
		for i := range time.Duration(102) {
			if tk.tells(time.Minute+i*cost, period) && i >= 2 {
				told++
			}
		}
		if told != want {
			t.Errorf("of 100 ticks that take %v each, it tells of %d, want %d", cost, told, want)
		}
	}
	tk := ticking{due: time.Minute}
	var told []bool
	for i := range time.Duration(5) { // the last of the four that it runs at once; then it is in time
		now := time.Minute + 3*period + i
		if i >= 4 {
			now += period
		}
		tk.due += period
		told = append(told, tk.tells(now, period))
	}
	if want := []bool{false, false, false, true, true}; fmt.Sprint(told) != fmt.Sprint(want) {
		t.Errorf("it tells of %v, want %v", told, want)
	}
}

// Rule: a client that accepts nothing is removed when no more can wait for it, and the others play on.
func TestAClientThatTakesNothingIsRemoved(t *testing.T) {
	f := newFixture(t)
	p, _ := f.other.Player()
	c := f.server.clients.of[p]
	for n := 0; c.gone == ""; n++ {
		if c.post(append([]byte{messageBye}, make([]byte, 200)...)); n > 1<<16 {
			t.Fatal("there is no end")
		}
	}
	f.mute = true
	f.run(100 * time.Millisecond)
	if f.server.clients.of[p] != nil || f.server.Members().Has(p) {
		t.Errorf("%v play", f.server.Members())
	}
	f.unharmed()
}

// Rule: if a server cannot be asked for its state there is no report, and the event says why.
func TestAServerThatCannotBeAsked(t *testing.T) {
	f := newFixture(t)
	r, q := &f.other.server, &f.other.clientMatch.inquiry
	for _, size := range []int{200, 1} { // until nothing fits any more
		for r.pipe.Channel.Send(make([]byte, size)) == nil {
		}
	}
	q.notice(f.other.Known(), 7, f.other.State())
	e, ok := q.goOn(r, &f.other.match.params, false)
	if !ok || e.What != event.Reported || e.Data != nil || !strings.HasPrefix(e.Text, "the server could not be asked: ") {
		t.Errorf("%+v, %v", e, ok)
	}
}

// Rule: a machine at the address of a client that has been silent for a second takes its turn at once: the client has left
// the match, and the reason is reported.
func TestAnotherClientFromTheAddressOfASilentOne(t *testing.T) {
	g := newGate(t, nil)
	first := g.enter(home, nil)
	p, _ := first.Player()
	g.server.Events()
	next := newClient(t, countGame(), g.random.Uint64, nil)
	g.clients[g.order[0]] = next // the process of the first one has ended without a goodbye
	g.run(2 * second)
	q, ok := next.Player()
	if !ok || next.Phase() != session.Playing || g.server.Members() != rollback.SetOf(q) {
		t.Errorf("it plays %d, %v; %v play at the server", q, next.Err(), g.server.Members())
	}
	lost := 0
	for _, e := range g.server.Events() {
		if e.What == event.Lost && e.Players == rollback.SetOf(p) && e.Text == "another client has come from its address" {
			lost++
		}
	}
	if lost != 1 {
		t.Errorf("it is said %d times that the first one is lost", lost)
	}
}
