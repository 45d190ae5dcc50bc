package served

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/bulk"
	"github.com/tickback/tickback/session/desync"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/sight"
	"github.com/tickback/tickback/wire/agreed"
)

// differing is a fixture whose other client has a different step in one tick.
func differing(t *testing.T, at Frame) *fixture {
	t.Helper()
	f := newFixture(t)
	wrong := countGame()
	right := wrong.Step
	wrong.Step = func(s *count, k *rollback.Tick[uint16]) {
		if right(s, k); k.Frame() == at {
			s.Sum[2]++
		}
	}
	f.other.Leave("")
	f.run(100 * time.Millisecond)
	f.other = newClient(t, wrong, f.server.cfg.Random, nil)
	f.run(time.Second)
	if f.other.Phase() != session.Playing {
		t.Fatal("it does not play")
	}
	return f
}

// why returns the other client's reason for having no report, which is reported once.
func (f *fixture) why() string {
	f.t.Helper()
	text := ""
	for _, e := range f.other.Events() {
		if e.What == event.Reported {
			if e.Data != nil || e.Text == "" || text != "" || f.other.Report() != nil {
				f.t.Fatalf("%v, after %q", e, text)
			}
			text = e.Text
		}
	}
	return text
}

// Rule: if there is no report, there is a reason: the server has forgotten the state, says something else than before,
// or nothing before the end.
func TestWhyADifferenceIsNotExplained(t *testing.T) {
	for name, c := range map[string]struct {
		change func(f *fixture, r *stateReply)
		want   string
	}{
		"forgotten": {func(f *fixture, r *stateReply) {
			r.begin(f.other.clientMatch.inquiry.state, nil, "")
		}, "the server does not hold that state any more"},
		"another one": {func(_ *fixture, r *stateReply) {
			state := r.left.Next()
			state[0]++
			r.left.Begin(state, 0)
		}, "the server has told another state than it had"},
		"the same one": {func(f *fixture, r *stateReply) {
			state := r.left.Next()
			f.other.clientMatch.inquiry.ours = bytes.Clone(state)
			r.left.Begin(state, 0)
		}, "desync: the states are the same"},
		"the end": {func(f *fixture, _ *stateReply) {
			f.server.Leave("it is over")
		}, "the match was over before the server had told its state"},
	} {
		f := differing(t, 200)
		changed := false
		p, _ := f.other.Player()
		r := &f.server.clients.of[p].stateReply
		f.each = func() {
			if !changed && r.asked {
				changed = true
				c.change(f, r)
			}
		}
		f.run(2 * time.Second)
		if why := f.why(); !changed || why != c.want {
			t.Errorf("%s: %q, want %q", name, why, c.want)
		}
	}
}

// Rule: a match with one place, and a game whose states are not values, have no report, only the event.
func TestWhatCannotBeExplained(t *testing.T) {
	var one, own inquiry[count, uint16]
	one.shape.Players = 1
	f := newFixture(t)
	one.states = f.other.clientMatch.inquiry.states
	one.notice(5, 1, new(count))
	own.shape.Players = 2
	own.notice(5, 1, new(count))
	gone := inquiry[count, uint16]{states: one.states}
	gone.shape.Players = 2
	gone.notice(5, 1, nil)
	for want, q := range map[string]*inquiry[count, uint16]{"one place": &one, "no values": &own, "not held": &gone} {
		for again := range 2 {
			report, why, ok := q.take()
			if report != nil || ok != (again == 0) || ok && !strings.Contains(why, want) {
				t.Errorf("%q: %q, %v", want, why, ok)
			}
		}
		q.notice(9, 1, new(count)) // there is one report for a match
		if q.stage != reported {
			t.Errorf("%q: it begins again", want)
		}
	}
}

// Rule: the server answers a client that plays once, after the whole state from which it continues; about a state that
// it was not sent it says nothing.
func TestAServerTellsAStateOnce(t *testing.T) {
	f := newFixture(t)
	p, _ := f.other.Player()
	c := f.server.clients.of[p]
	ask := func(s Frame) {
		if err := f.other.server.pipe.Channel.Send(appendDiffers(nil, s)); err != nil {
			t.Fatal(err)
		}
	}
	f.mute = true // what it hears, it does not answer
	ask(f.server.Frame() + 1)
	f.say((&clientBody{next: uint32(f.server.Frame())}).append(nil))
	if !c.stateReply.asked || !c.stateReply.left.Done() || c.faults.Unsent != 1 {
		t.Errorf("of a state to come: %+v, %+v", c.stateReply, c.faults)
	}
	f.say((&clientBody{next: uint32(f.server.Frame()), plain: true}).append(nil))
	if m := c.message(); m != nil {
		t.Errorf("it is told %x before it holds a state", m)
	}
	c.view.any = true
	c.fullStates.begin(3, []byte{7}, f.now)
	if m := c.message(); !bytes.Equal(m, []byte{messageChunk, 7}) {
		t.Errorf("a whole state comes first, and not %x", m)
	}
	if m := c.message(); m[0] != messageTruth {
		t.Errorf("it is told %x", m)
	}
	if m := c.message(); m != nil {
		t.Errorf("and %x", m)
	}
	if n := f.server.Counts(); n.Broken != 0 {
		t.Fatalf("%+v", n)
	}
	ask(f.server.Frame())
	f.say((&clientBody{next: uint32(f.server.Frame())}).append(nil))
	if n := f.server.Counts(); n.Broken != 1 {
		t.Errorf("it asks again: %+v", n)
	}
	f.unharmed()
}

// Rule: a state is answered in parts, the last one shorter.
func TestAReplyIsCut(t *testing.T) {
	var r stateReply
	state := bytes.Repeat([]byte{1, 2, 3}, bulk.Piece)
	r.begin(7, state, "a rack")
	head := r.next()
	var got []byte
	for m := r.next(); m != nil; m = r.next() {
		if m[0] != messagePart || len(m) < 2 || len(m) > 1+bulk.Piece {
			t.Fatalf("a part of %d bytes: %d", len(m), m[0])
		}
		got = append(got, m[1:]...)
	}
	f, size, machine, err := consumeTruth(head[1:])
	if f != 7 || size != len(state) || machine != "a rack" || err != nil || !bytes.Equal(got, state) || !r.left.Done() {
		t.Errorf("state %d of %d bytes, %q, %v; %d bytes", f, size, machine, err, len(got))
	}
}

// Rule: a client takes the state that it has requested, once, and nothing else.
func TestAClientTakesWhatItHasAskedFor(t *testing.T) {
	begin := func(f Frame, size int) []byte { return appendTruth(nil, f, size, "x") }
	for name, c := range map[string]struct {
		g    given
		says [][]byte
		ok   bool
	}{
		"nothing was asked for": {given{}, [][]byte{begin(0, 2)}, false},
		"half a head":           {given{asked: true}, [][]byte{{messageTruth, 1, 2}}, false},
		"another one":           {given{asked: true, whole: whole{number: 5}}, [][]byte{begin(6, 2)}, false},
		"too large":             {given{asked: true}, [][]byte{begin(0, 9)}, false},
		"twice":                 {given{asked: true}, [][]byte{begin(0, 2), begin(0, 2)}, false},
		"parts only":            {given{asked: true}, [][]byte{{messagePart, 1}}, false},
		"too many":              {given{asked: true}, [][]byte{begin(0, 2), {messagePart, 1, 2, 3}}, false},
		"after the end":         {given{asked: true}, [][]byte{begin(0, 0), {messagePart, 1}}, false},
		"all of it":             {given{asked: true}, [][]byte{begin(0, 2), {messagePart, 1}, {messagePart, 2}}, true},
		"the largest":           {given{asked: true}, [][]byte{begin(0, 8), {messagePart, 1, 2, 3, 4, 5, 6, 7, 8}}, true},
		"none":                  {given{asked: true}, [][]byte{begin(0, 0)}, true},
	} {
		f := newFixture(t)
		r := &f.other.server
		r.cfg.MaxState, r.given = 8, c.g
		var err error
		for _, m := range c.says {
			if err == nil {
				err = r.message(m[0], m[1:])
			}
		}
		if c.ok != (err == nil) || c.ok && !r.given.here {
			t.Errorf("%s: %v, here %v", name, err, r.given.here)
		}
	}
	long := appendTruth(nil, 1, 2, strings.Repeat("x", maxMachine))
	if _, _, _, err := consumeTruth(long[1:]); err != nil {
		t.Error(err)
	}
	for _, b := range [][]byte{long[1:8], append(long[1:], 'x'), nil} {
		if _, _, _, err := consumeTruth(b); err == nil {
			t.Errorf("%d bytes are taken", len(b))
		}
	}
	for _, b := range [][]byte{nil, {1, 2, 3}, {1, 2, 3, 4, 5}} {
		if _, err := consumeDiffers(b); err == nil {
			t.Errorf("%d bytes are taken", len(b))
		}
	}
}

// Rule: a report begins with the first state that the client has had, and has orders and absent players.
func TestAReportHasAllThatWasKnown(t *testing.T) {
	f := newFixture(t)
	f.other.Leave("")
	f.run(100 * time.Millisecond)
	wrong, started := countGame(), Frame(0)
	right := wrong.Step
	wrong.Step = func(s *count, k *rollback.Tick[uint16]) {
		if right(s, k); started > 0 && k.Frame() == started+40 {
			s.Ticks[2]++
		}
	}
	given := map[Frame]byte{}
	var err error
	f.other, err = NewClient(wrong, ClientConfig{Game: countAbout, Server: serverAddr, Random: f.server.cfg.Random}, ClientHooks[count, uint16]{
		Sample: func(Player) uint16 { return uint16(f.other.Frame()) },
		Orders: func(Player) []byte {
			if n := f.other.Frame(); n%8 == 3 {
				given[n] = byte(n)
				return []byte{byte(n), 7}
			}
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var r *desync.Report
	f.each = func() {
		for _, e := range f.other.Events() {
			switch e.What {
			case event.Started:
				started = e.Frame
			case event.Reported:
				if r, err = desync.Decode(e.Data); err != nil {
					t.Fatal(err, e.Text)
				}
			}
		}
	}
	f.run(3 * time.Second)
	p, _ := f.other.Player()
	q, _ := f.honest.Player()
	if r == nil || r.State != uint32(started)+41 || r.Equal != r.State-1 || r.First != uint32(started) || r.HashEvery != 1 || len(r.Fields) != 1 || r.Fields[0].Path != "Ticks[2]" {
		t.Fatalf("started with %d: %+v", started, r)
	}
	ordered := 0
	err = r.Frames(func(a *agreed.Frame) error {
		n, in := Frame(a.Number), a.Inputs[2*p:]
		if a.Orders != nil {
			if ordered++; !bytes.Equal(a.Orders[p], []byte{given[n], 7}) || len(a.Orders[q]) > 0 {
				t.Errorf("orders of tick %d: %v", n, a.Orders)
			}
		}
		if there := n >= f.server.clients.of[p].from; there == (a.Gone>>p&1 != 0) || a.Gone>>q&1 != 0 || a.Gone>>(3-p-q)&1 == 0 {
			t.Errorf("tick %d is without %b", n, a.Gone)
		}
		if n > started+20 && (int(in[0])|int(in[1])<<8 != int(n) || a.Inputs[2*q] != 1) {
			t.Errorf("inputs of tick %d: %v", n, a.Inputs)
		}
		return nil
	})
	if err != nil || ordered < 3 {
		t.Errorf("%v; %d ticks with orders", err, ordered)
	}
}

// Rule: both sides of a report have the same inputs, those that the server has sent, even if it has only those of a single tick.
func TestAReportOfOneTick(t *testing.T) {
	for ticks := range Frame(3) {
		f := newFixture(t)
		c := f.other
		q, state := &c.clientMatch.inquiry, c.engine.Final()
		truth := *c.engine.StateAt(state)
		truth.Sum[0]++
		told := q.states.Append(nil, &truth)
		q.equal = state - 1
		q.notice(state, uint16(xxh3.Hash(told)), c.engine.StateAt(state))
		q.begun = state - ticks
		q.retrace(c.engine)
		var g given
		if g.Begin(len(told), len(told)) != nil || g.Add(told) != nil {
			t.Fatal("the state is not taken")
		}
		q.answered(&g, c.server.player, c.server.cfg, 1, &c.match.params)
		r, err := desync.Decode(q.bytes)
		if err != nil {
			t.Fatal(err, q.why)
		}
		if !r.Whole {
			t.Error("the report says that the parameters of the match are cut")
		}
		for _, p := range r.Peers {
			if (p.Inputs == desync.Same) != (ticks > 0) {
				t.Errorf("%d ticks, and the inputs of %b are %v", ticks, p.Players, p.Inputs)
			}
		}
	}
}

// Rule: if there was a gap in what was sent, the report only traces back to the gap.
func TestAGapIsNotBridged(t *testing.T) {
	var q inquiry[count, uint16]
	for _, f := range []Frame{40, 41, 42, 50, 51} {
		q.knows(f)
	}
	if q.begun != 50 || q.next != 52 {
		t.Errorf("from tick %d to %d", q.begun, q.next)
	}
}

// Rule: of a state that a server holds no more it knows nothing.
func TestAStateThatIsNotHeldAnyMore(t *testing.T) {
	f := newFixture(t)
	w := f.server.updater.world
	if n := len(w.known(nil, 0, w.Frame())); n != f.other.clientMatch.inquiry.states.Size() {
		t.Errorf("the newest state has %d bytes", n)
	}
	if b := w.known(nil, 0, w.Frame()-sight.Keep-1); len(b) != 0 {
		t.Errorf("a state of long ago has %d bytes", len(b))
	}
}
