package served_test

import (
	"bytes"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/journal"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/served"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/agreed"
)

// goOn starts the server of a killed one again, with its journal.
func (h *house) goOn(j served.Journal, tune func(c *served.ServerConfig, hooks *served.ServerHooks[tanks.State, tanks.Input])) error {
	h.t.Helper()
	cfg := served.ServerConfig{Game: h.about(), Random: h.random.Uint64, Journal: j, KeyframeEvery: 50}
	hooks := served.ServerHooks[tanks.State, tanks.Input]{Sight: h.look}
	if h.look != nil {
		cfg.Match.Seed, hooks.Start = 999, start // the journal's seed counts
	}
	if tune != nil {
		tune(&cfg, &hooks)
	}
	s, err := served.NewServer(h.game, cfg, hooks)
	if err != nil {
		return err
	}
	h.server, h.wake[0] = s, h.now
	for node := range h.clients {
		h.net.Cut(0, node+1, false)
		h.net.Cut(node+1, 0, false)
	}
	return nil
}

// kept says that a server keeps a journal.
func kept(j served.Journal) func(c *served.ServerConfig, h *served.ServerHooks[tanks.State, tanks.Input]) {
	return func(c *served.ServerConfig, _ *served.ServerHooks[tanks.State, tanks.Input]) {
		c.Journal, c.KeyframeEvery = j, 50
	}
}

// Rule: a match goes on from its journal with the state that it had, and with all of its players in their places, who
// come back by themselves and are in every tick. It makes no difference how long the server was away, within the
// patience of its clients, nor whether the journal has a keyframe; and it can go on any number of times.
func TestAMatchGoesOnFromItsJournal(t *testing.T) {
	both(t, func(t *testing.T, look func(*tanks.State, rollback.Player) rollback.PlayerSet) {
		const players = 6
		var gone rollback.PlayerSet // of any tick, once all have come
		watch := func(_ *served.ServerConfig, hooks *served.ServerHooks[tanks.State, tanks.Input]) {
			hooks.Agreed = func(a *rollback.Agreed[tanks.Input]) { gone |= a.Gone & (1<<players - 1) }
		}
		var j journal.Memory
		h := newHouse(t, 1, players, netem.Link{Delay: 30 * ms, Jitter: 5 * ms, Distribution: netem.Exponential, Loss: netem.Percent}, look, kept(&j))
		for node := range players {
			h.join(node + 1)
		}
		h.run(2 * time.Second)
		places := make([]rollback.Player, players)
		for i, g := range h.clients {
			places[i], _ = g.Player()
			g.kinds()
		}
		for round, away := range []time.Duration{0, 100 * ms, 3 * time.Second, 700 * ms} {
			h.kill()
			h.run(away)
			last := h.server.Frame() // the old process has run on, and has told nobody
			h.events = nil
			was := len(h.states) - 1
			if err := h.goOn(&j, watch); err != nil {
				t.Fatal(err)
			}
			if h.server.Frame() != last || was != int(last) || !h.plan.Equal(h.server.State(), &h.states[last]) {
				t.Fatalf("round %d: it goes on at %d, and was at %d", round, h.server.Frame(), last)
			}
			for _, g := range h.clients {
				g.deaf = true
			}
			gone = 0
			h.run(4 * time.Second)
			if len(h.events) == 0 || !strings.HasPrefix(h.events[0], "started (it goes on") || slices.ContainsFunc(h.events, func(e string) bool { return strings.HasPrefix(e, "lost") }) {
				t.Errorf("round %d: %q", round, h.events)
			}
			if h.server.Frame() < last+40 || gone != 0 {
				t.Errorf("round %d: it is at %d, and was at %d; %v were gone", round, h.server.Frame(), last, gone)
			}
			for i, g := range h.clients {
				if p, ok := g.Player(); !ok || p != places[i] || g.Phase() != session.Playing || g.Known()+10 < h.server.Frame() {
					t.Fatalf("round %d, client %d: %v, player %d, knows %d of %d: %v", round, i, g.Phase(), p, g.Known(), h.server.Frame(), g.Err())
				}
				g.compared, g.deaf = 0, false
			}
			h.run(2 * time.Second)
			for i, g := range h.clients {
				if g.compared < 30 {
					t.Errorf("round %d, client %d: %d states compared", round, i, g.compared)
				}
			}
		}
	})
}

// slow is a journal whose records are durable some time after they were appended.
type slow struct {
	journal.Memory
	now     *time.Duration
	lag     time.Duration
	at      []time.Duration // when each record was appended
	ticks   []rollback.Frame
	tick    rollback.Frame
	failure error
}

func (s *slow) Append(record []byte) {
	if record[0] == 3 || record[0] == 4 { // a tick
		s.tick++
	}
	s.Memory.Append(record)
	s.at, s.ticks = append(s.at, *s.now), append(s.ticks, s.tick)
}

func (s *slow) Durable() (n uint64, err error) {
	for _, at := range s.at {
		if at+s.lag > *s.now {
			break
		}
		n++
	}
	return n, s.failure
}

// durable returns how many ticks are.
func (s *slow) durable() rollback.Frame {
	if n, _ := s.Durable(); n > 0 {
		return s.ticks[n-1]
	}
	return 0
}

// Rule: nobody is told of a tick that is not durable, nor of the end of a match: neither a client, nor what reads the
// agreed stream, which are recordings and, by the same call, spectators. A match whose journal was told to be no reason
// to wait is the negative control.
func TestNobodyIsToldWhatCouldBeLost(t *testing.T) {
	for _, c := range []struct {
		lag, patience time.Duration
		early         bool
	}{{20 * ms, 0, false}, {49 * ms, 0, false}, {300 * ms, 0, false}, {20 * ms, 1, true}} {
		var now time.Duration
		j := &slow{now: &now, lag: c.lag}
		h := newHouse(t, 1, 3, netem.Link{Delay: ms}, nil, func(cfg *served.ServerConfig, hooks *served.ServerHooks[tanks.State, tanks.Input]) {
			kept(j)(cfg, hooks)
			cfg.JournalPatience, cfg.Match.Frames = c.patience, 60
		})
		var recorded frames
		if err := h.server.Record(&recorded, stream.Wants{}); err != nil {
			t.Fatal(err)
		}
		early, known := 0, rollback.Frame(0)
		h.rise = func(node int, _ []byte) {
			now = h.now
			g := h.clients[node-1]
			if known = max(known, g.Known()); g.Known() > j.durable() {
				early++
			}
			if _, over := g.Outcome(); over && j.durable() < 60 {
				early++
			}
		}
		h.tap = func([]byte) {
			if now = h.now; len(recorded.list) > int(j.durable()) {
				early++
			}
		}
		for node := range 3 {
			h.join(node + 1)
		}
		for h.now < 60*time.Second && h.server.Phase() != session.Over {
			h.run(ms)
			now = h.now
		}
		if (early > 0) != c.early {
			t.Errorf("lag %v, patience %v: %d times somebody knew too much", c.lag, c.patience, early)
		}
		if o, over := h.server.Outcome(); !over || o.Frames != 60 || known != 60 || len(recorded.list) != 60 {
			t.Errorf("lag %v: %+v, %v; known %d, recorded %d", c.lag, o, over, known, len(recorded.list))
		}
	}
}

// Rule: ticks wait for a journal that takes long, however long that is, with an event after a second, and then go on;
// no client is lost. With a patience they go on after that, with an event, and without the journal.
func TestTicksWaitForTheJournal(t *testing.T) {
	for _, patience := range []time.Duration{0, 2 * time.Second} {
		var now time.Duration
		j := &slow{now: &now}
		h := newHouse(t, 1, 2, netem.Link{Delay: 10 * ms}, nil, func(cfg *served.ServerConfig, hooks *served.ServerHooks[tanks.State, tanks.Input]) {
			kept(j)(cfg, hooks)
			cfg.JournalPatience = patience
		})
		h.tap = func([]byte) { now = h.now }
		for node := range 2 {
			h.join(node + 1)
		}
		pass := func(d time.Duration) {
			for range d / ms {
				now = h.now
				h.run(ms)
			}
		}
		pass(time.Second)
		before := h.server.Frame()
		h.events, j.lag = nil, time.Hour
		pass(4 * time.Second)
		if patience == 0 {
			if h.server.Frame() > before+2 || len(h.events) != 1 || !strings.HasPrefix(h.events[0], "waiting, for 1") {
				t.Errorf("at %d after %d: %q", h.server.Frame(), before, h.events)
			}
		} else if h.server.Frame() < before+30 || len(h.events) != 2 || !strings.Contains(h.events[1], "goes on without it") {
			t.Errorf("at %d after %d: %q", h.server.Frame(), before, h.events)
		}
		h.events, j.lag = nil, 0
		before = h.server.Frame()
		pass(time.Second)
		if h.server.Frame() < before+15 || h.server.Members().Len() != 2 {
			t.Errorf("at %d after %d, with %v: %q", h.server.Frame(), before, h.server.Members(), h.events)
		}
		if patience == 0 && (len(h.events) != 1 || !strings.HasPrefix(h.events[0], "resumed, for 3.9")) {
			t.Errorf("%q", h.events)
		}
	}
}

// Rule: a journal that fails ends the match, with its error; with a patience, the match goes on.
func TestAJournalThatFails(t *testing.T) {
	full := errors.New("no space left")
	for _, patience := range []time.Duration{0, time.Second} {
		var now time.Duration
		j := &slow{now: &now}
		h := newHouse(t, 1, 1, netem.Link{Delay: 10 * ms}, nil, func(cfg *served.ServerConfig, hooks *served.ServerHooks[tanks.State, tanks.Input]) {
			kept(j)(cfg, hooks)
			cfg.JournalPatience = patience
		})
		g := h.join(1)
		h.run(time.Second)
		before := h.server.Frame()
		j.failure = full
		h.run(time.Second)
		var failed *served.JournalError
		if patience > 0 {
			if h.server.Phase() != session.Playing || h.server.Frame() < before+15 || g.Phase() != session.Playing {
				t.Errorf("%v at %d: %v", h.server.Phase(), h.server.Frame(), h.server.Err())
			}
		} else if !errors.As(h.server.Err(), &failed) || !errors.Is(failed, full) || g.Err() == nil {
			t.Errorf("%v; the client: %v", h.server.Err(), g.Err())
		}
	}
}

// Rule: the places of a match that goes on are kept for those who had them, for DropAfter, and free afterwards.
func TestPlacesAreKept(t *testing.T) {
	var j journal.Memory
	h := newHouse(t, 1, 17, netem.Link{Delay: 10 * ms}, nil, kept(&j))
	for node := range 16 {
		h.join(node + 1)
	}
	h.run(2 * time.Second)
	h.kill()
	h.run(100 * ms)
	for node := range 16 {
		h.clients[node] = nil // they do not come back
	}
	if err := h.goOn(&j, nil); err != nil {
		t.Fatal(err)
	}
	stranger := h.join(17)
	stranger.deaf = true
	h.run(time.Second)
	var bye *served.ByeError
	if !errors.As(stranger.Err(), &bye) {
		t.Fatalf("a stranger is %v: %v", stranger.Phase(), stranger.Err())
	}
	h.events = nil
	h.run(6 * time.Second)
	if len(h.events) != 16 || !strings.Contains(h.events[0], "it has not come back") {
		t.Errorf("%q", h.events)
	}
	stranger = h.join(17)
	stranger.deaf = true
	h.run(time.Second)
	if _, plays := stranger.Player(); !plays {
		t.Errorf("a stranger is %v: %v", stranger.Phase(), stranger.Err())
	}
}

// Rule: a token that was revoked stays so, and one that was set is needed, whatever the options of the next process say.
func TestTokensOutliveTheProcess(t *testing.T) {
	first, second := bytes.Repeat([]byte{1}, 16), bytes.Repeat([]byte{2}, 16)
	for _, c := range []struct {
		what  string
		do    func(s *server) error
		first bool // admits
		then  bool
	}{
		{"nothing", func(*server) error { return nil }, true, false},
		{"a kick", func(s *server) error { return s.Kick(0, "x") }, false, false},
		{"another token", func(s *server) error { return s.SetToken(second) }, false, true},
	} {
		for i, token := range [][]byte{first, second} {
			var j journal.Memory
			with := func(cfg *served.ServerConfig, hooks *served.ServerHooks[tanks.State, tanks.Input]) {
				kept(&j)(cfg, hooks)
				cfg.Token = first
			}
			h := newHouse(t, 1, 2, netem.Link{Delay: 10 * ms}, nil, with)
			h.tune = func(cfg *served.ClientConfig) { cfg.Token = first }
			h.join(1)
			h.run(time.Second)
			if err := c.do(h.server); err != nil {
				t.Fatal(err)
			}
			h.run(100 * ms)
			h.kill()
			h.clients[0] = nil
			if err := h.goOn(&j, with); err != nil {
				t.Fatal(err)
			}
			h.tune = func(cfg *served.ClientConfig) { cfg.Token = token }
			g := h.join(2)
			g.deaf = true
			h.run(3 * time.Second)
			_, plays := g.Player()
			if want := []bool{c.first, c.then}[i]; plays != want {
				t.Errorf("after %s, with token %d: it plays: %v; %v", c.what, i, plays, g.Err())
			}
		}
	}
}

// played returns the journal of a match of a few clients, with its states.
func playedJournal(t testing.TB, ticks time.Duration) (*journal.Memory, *house) {
	j := new(journal.Memory)
	h := newHouse(t, 1, 2, netem.Link{Delay: 10 * ms}, nil, kept(j))
	h.join(1)
	h.join(2)
	h.run(ticks * 50 * ms)
	return j, h
}

// Rule: the first records of a journal are one of an earlier moment: the match goes on from there.
func TestEveryBeginningOfAJournalIsOne(t *testing.T) {
	j, h := playedJournal(t, 130)
	last := rollback.Frame(0)
	for n := range j.Len() + 1 {
		var first journal.Memory
		i := 0
		for r := range j.Records() {
			if i++; i <= n {
				first.Append(r)
			}
		}
		before := first.Len()
		if err := h.goOn(&first, nil); err != nil {
			t.Fatalf("%d of %d records: %v", n, j.Len(), err)
		}
		f := h.server.Frame()
		if f < last || !h.plan.Equal(h.server.State(), &h.states[f]) || n > 0 && first.Len() != before+1 {
			t.Fatalf("%d records: it goes on at %d; before at %d", n, f, last)
		}
		last = f
	}
	if last < 120 {
		t.Errorf("it comes to %d", last)
	}
}

// other is a journal whose records are changed when they are read.
type other struct {
	served.Journal
	change func(n int, record []byte) []byte
}

func (o other) Records() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		n := 0
		for r, err := range o.Journal.Records() {
			if r = o.change(n, bytes.Clone(r)); r != nil && !yield(r, err) {
				return
			}
			n++
		}
	}
}

// Rule: a journal of another game, of another build, or of one that computes otherwise, is refused, and so is one whose
// match has ended, and one that is damaged. The error names the record.
func TestWhatDoesNotGoOn(t *testing.T) {
	j, h := playedJournal(t, 130)
	ended := new(journal.Memory)
	for r := range j.Records() {
		ended.Append(r)
	}
	ended.Append([]byte{7, 6})
	var mismatch *session.MismatchError
	is := func(kind byte) func(int, []byte) bool { return func(_ int, r []byte) bool { return r[0] == kind } }
	damaged := func(which func(n int, r []byte) bool, change func(r []byte) []byte) served.Journal {
		return other{j, func(n int, r []byte) []byte {
			if which(n, r) {
				return change(r)
			}
			return r
		}}
	}
	same := h.game
	for _, c := range []struct {
		what string
		j    served.Journal
		tune func(c *served.ServerConfig, game *rollback.Game[tanks.State, tanks.Input])
		is   func(err error) bool
	}{
		{"another build", j, func(c *served.ServerConfig, _ *rollback.Game[tanks.State, tanks.Input]) { c.Build = "2" }, func(err error) bool {
			return errors.As(err, &mismatch) && mismatch.Item == admission.ItemBuild
		}},
		{"another interval of hashes", j, func(c *served.ServerConfig, _ *rollback.Game[tanks.State, tanks.Input]) { c.HashEvery = 3 }, func(err error) bool {
			return errors.As(err, &mismatch)
		}},
		{"another state 0", j, func(_ *served.ServerConfig, g *rollback.Game[tanks.State, tanks.Input]) { g.Init = tanks.Game(7).Init }, func(err error) bool {
			return errors.As(err, &mismatch)
		}},
		{"another step", j, func(_ *served.ServerConfig, g *rollback.Game[tanks.State, tanks.Input]) {
			g.Step = func(s *tanks.State, t *rollback.Tick[tanks.Input]) {
				same.Step(s, t)
				s.Tanks[3].Deaths++
			}
		}, func(err error) bool { return strings.Contains(err.Error(), "hash") }},
		{"an ended match", ended, nil, func(err error) bool { return errors.Is(err, served.ErrJournalEnded) }},
		{"no beginning", damaged(func(n int, _ []byte) bool { return n == 0 }, func([]byte) []byte { return nil }), nil, nil},
		{"two beginnings", damaged(func(n int, _ []byte) bool { return n == 9 }, func(r []byte) []byte { r[0] = 1; return r }), nil, nil},
		{"an unknown record", damaged(func(n int, _ []byte) bool { return n == 9 }, func(r []byte) []byte { r[0] = 99; return r }), nil, nil},
		{"another keyframe", damaged(is(2), func(r []byte) []byte { r[len(r)-9] ^= 1; return r }), nil, nil},
		{"another hash of a keyframe", damaged(is(2), func(r []byte) []byte { r[13] ^= 1; return r }), nil, nil},
		{"a keyframe of another tick", damaged(is(2), func(r []byte) []byte { r[1]++; return r }), nil, nil},
		{"a missing tick", damaged(func(n int, r []byte) bool { return n == 120 }, func([]byte) []byte { return nil }), nil, nil},
		{"more than a tick", damaged(is(4), func(r []byte) []byte { return append(r, 0) }), nil, nil},
		{"a place that there is not", damaged(is(5), func(r []byte) []byte { r[1] = 16; return r }), nil, nil},
		{"an empty record", damaged(is(4), func([]byte) []byte { return []byte{} }), nil, nil},
	} {
		h.game = same
		err := h.goOn(c.j, func(cfg *served.ServerConfig, _ *served.ServerHooks[tanks.State, tanks.Input]) {
			if c.tune != nil {
				c.tune(cfg, &h.game)
			}
		})
		var wrong *served.JournalError
		if !errors.As(err, &wrong) || c.is != nil && !c.is(err) || c.is == nil && wrong.Record == 0 {
			t.Errorf("%s: %v", c.what, err)
		}
	}
	h.game = same
	if err := h.goOn(j, nil); err != nil { // the negative control
		t.Error(err)
	}
}

// Rule: whatever a journal contains, a server goes on from it or refuses it.
func FuzzJournal(f *testing.F) {
	j, h := playedJournal(f, 12)
	for n := range j.Len() {
		f.Add(uint8(n), uint16(1), []byte{1})
		f.Add(uint8(n), uint16(0), []byte(nil))
	}
	f.Fuzz(func(t *testing.T, n uint8, at uint16, with []byte) {
		h.t = t
		var copied journal.Memory
		for r := range j.Records() {
			copied.Append(r)
		}
		broken := other{&copied, func(i int, r []byte) []byte {
			if i != int(n) {
				return r
			}
			at := min(int(at), len(r))
			return append(append(r[:at:at], with...), r[min(len(r), at+len(with)):]...)
		}}
		var wrong *served.JournalError
		if err := h.goOn(broken, nil); err != nil && !errors.As(err, &wrong) {
			t.Errorf("%v", err)
		}
	})
}

// frames is a recorder that keeps what it is told of ticks.
type frames struct {
	begun, ended int
	list         []uint32
	inputs       [][]byte
	states       []rollback.Frame
}

func (r *frames) Begin(b *stream.Begin)                  { r.begun++ }
func (r *frames) State(f rollback.Frame, encoded []byte) { r.states = append(r.states, f) }
func (r *frames) End(*stream.End)                        { r.ended++ }
func (r *frames) Frame(f *agreed.Frame, _ uint64, _ bool) {
	r.list, r.inputs = append(r.list, f.Number), append(r.inputs, bytes.Clone(f.Inputs))
}

// Rule: a recording of a match that has gone on has all of it, and so do spectators that come then.
func TestARecordingHasWhatWasBeforeTheRestart(t *testing.T) {
	var j journal.Memory
	var first, second frames
	watched := func(cfg *served.ServerConfig, hooks *served.ServerHooks[tanks.State, tanks.Input]) {
		kept(&j)(cfg, hooks)
		cfg.Spectators = spectate.Config{Max: 2}
	}
	h := newHouse(t, 1, 3, netem.Link{Delay: 10 * ms}, nil, watched)
	if err := h.server.Record(&first, stream.Wants{States: 40}); err != nil {
		t.Fatal(err)
	}
	h.join(1)
	h.join(2)
	h.run(8 * time.Second)
	h.kill()
	if err := h.goOn(&j, watched); err != nil {
		t.Fatal(err)
	}
	if err := h.server.Record(&second, stream.Wants{States: 40}); err != nil {
		t.Fatal(err)
	}
	h.run(4 * time.Second)
	n := len(first.list)
	if n < 150 || len(second.list) < n+30 || second.begun != 1 || len(second.states) < 4 {
		t.Fatalf("%d ticks, then %d, with the states %d", n, len(second.list), second.states)
	}
	for i, f := range second.list {
		if int(f) != i || i < n && !bytes.Equal(first.inputs[i], second.inputs[i]) {
			t.Fatalf("tick %d is recorded as %d, with the inputs %x", i, f, second.inputs[i])
		}
	}
	if h.server.StopRecording(nil); second.ended != 1 {
		t.Errorf("it ends %d times", second.ended)
	}
	var found bool
	for _, e := range h.events {
		found = found || strings.HasPrefix(e, event.Started.String())
	}
	if !found {
		t.Errorf("%q", h.events)
	}
}
