package rollback_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// clientOperations are the additional operations for the client of a server that owns the
// match.
var clientOperations = append([]doable{
	{30, (*match).doSuppose},
	{30, (*match).doLearn},
	{6, (*match).doCorrect},
}, operations...)

// suppose says what Suppose may answer.
func (r *reference) suppose(p Player, f Frame, orders string) verdict {
	everyone := PlayerSet(1<<r.cfg.Players - 1)
	if v := r.misuse(p, everyone&^r.cfg.Local, len(orders)); v != 0 {
		return v
	}
	may, must := r.outside(f)
	switch {
	case f < r.frame:
		return other
	case must != 0:
		return must
	case r.who[p].gone(f):
		return may | disconnected
	case r.known(p, f):
		return may | other
	}
	return may | fine
}

func (m *match) doSuppose() error {
	p, f := Player(m.c.IntN(m.r.cfg.Players)), m.r.frame+Frame(m.c.IntN(5))
	switch m.c.IntN(30) {
	case 0:
		f = m.r.frame - min(m.r.frame, Frame(1+m.c.IntN(3)))
	case 1:
		f += Frame(m.c.IntN(3 * m.r.cfg.History))
	case 2:
		p = Player(m.c.IntN(18))
	}
	in, orders := button(m.c.IntN(16)), m.orders()
	if m.c.IntN(40) == 0 {
		orders = "too long"
	}
	want := m.r.suppose(p, f, orders)
	err := m.Assume(p, f, in, []byte(orders))
	if e := outcome(fmt.Sprintf("suppose player %d in frame %d", p, f), err, want); e != nil {
		return e
	}
	if past := errors.Is(err, rollback.ErrPast); want == other && past != (f < m.r.frame) || errors.Is(err, rollback.ErrKnown) == past && want == other {
		return fmt.Errorf("suppose player %d in frame %d of %d: %v", p, f, m.r.frame, err)
	}
	if err == nil {
		m.r.who[p].supposed[f] = fact{true, in, orders}
		m.seen[suppositions]++
	}
	return nil
}

// comeBack says whether a player may come back in a frame that may have run.
func (r *reference) comeBack(p Player, at Frame) verdict {
	w := &r.who[p]
	last := &w.absences[len(w.absences)-1]
	never := w.leaving() && at == last.first && at >= r.agreed()
	if at >= r.frame && !never {
		return r.connect(p, at)
	}
	switch {
	case !w.leaving() || at <= last.first && !never || at < r.agreed():
		return conflict
	case at < r.oldest():
		return tooOld
	}
	if last.end = at; never { // an absence of no frames does not count, and does not prevent another departure
		w.absences = w.absences[:len(w.absences)-1]
	}
	r.high, r.returned = min(r.high, at), true
	r.invalidate(at)
	return fine
}

// invalidate: from frame f on, the presence of a player has changed. These frames run again,
// even if the change was taken back before they could.
func (r *reference) invalidate(f Frame) {
	if r.wide && f < r.frame {
		r.replaced, r.latest = min(r.replaced, f), r.frame-1
	}
}

func (r *reference) oldest() Frame {
	return r.frame - min(r.frame-r.start, Frame(r.cfg.Snapshots)-1)
}

// doLearn tells both what happened in a frame: mostly what was supposed, or is predicted.
func (m *match) doLearn() error {
	r, n := m.r, m.r.cfg.Players
	f := r.confirmed()
	for p := range Player(n) {
		if next := r.next(p); next != rollback.NoFrame && !r.cfg.Local.Has(p) {
			f = min(f, next)
		}
	}
	if f = min(f+Frame(m.c.IntN(2)), r.frame+3); m.c.IntN(10) == 0 {
		f = recent(m.c, r.frame, 6)
	}
	if f < r.start || f > r.frame+8 {
		return nil
	}
	inputs, orders := make([]button, n), make([][]byte, n)
	told, gone := PlayerSet(1<<n-1)&^r.cfg.Local, PlayerSet(0)
	if m.c.IntN(3) == 0 {
		told &= PlayerSet(m.c.IntN(1 << n))
	}
	now, _ := r.now(f)
	for p := range Player(n) {
		inputs[p], orders[p] = now.in[p], []byte(now.orders[p])
		if m.c.IntN(6) == 0 {
			inputs[p], orders[p] = m.button(p), []byte(m.orders())
		}
		if now.gone.Has(p) != (m.c.IntN(40) == 0) {
			gone |= 1 << p
		}
	}
	var want verdict = fine
	done := f < r.given
	for p := range told.All() {
		if done {
			break
		}
		want = r.learn(p, f, inputs[p], string(orders[p]), gone.Has(p))
		done = want&fine == 0
	}
	for p := range (PlayerSet(1<<n-1) &^ r.cfg.Local &^ told).All() { // not told, but back
		if !done && f >= r.agreed() && r.who[p].gone(f) && !gone.Has(p) {
			want = r.comeBack(p, f)
			done = want&fine == 0
		}
	}
	err := m.SetTruth(f, inputs, orders, told, gone)
	if e := outcome(fmt.Sprintf("learn frame %d of %v, gone %v", f, told, gone), err, want); e != nil {
		return e
	}
	if err == nil && f >= r.given && f >= r.agreed() && f < r.confirmed() {
		r.agreedTo, r.fresh = f+1, r.journal != nil
	}
	m.seen[lessons]++
	return nil
}

// learn is what Learn does for a player.
func (r *reference) learn(p Player, f Frame, in button, orders string, gone bool) verdict {
	switch was := r.who[p].gone(f); {
	case was && gone:
		return fine
	case gone:
		return r.disconnect(p, f)
	case was:
		if v := r.comeBack(p, f); v != fine {
			return v
		}
	}
	v := r.addInput(p, f, in, orders)
	if v&fine != 0 {
		r.accept(p, f, in, orders)
	}
	return v
}

// doCorrect gives both a state: mostly one that is right already.
func (m *match) doCorrect() error {
	r := m.r
	f := r.frame - min(Frame(m.c.IntN(r.cfg.Snapshots+2)), r.frame-r.start)
	if m.c.IntN(12) == 0 {
		f = r.frame + 1 + Frame(m.c.IntN(300))
	}
	refused := f >= lastFrame || f < r.oldest() || f < r.agreed() || strings.Contains(m.what, "without Equal") || m.what[0] == 'o' && r.cfg.Snapshots == 1
	var w world
	if f > r.frame {
		w = r.states[r.frame-r.start]
	} else {
		if !refused {
			r.redo(f)
		}
		w = r.states[f-r.start]
	}
	if m.c.IntN(2) == 0 {
		w.Sum, w.Level[0] = w.Sum+uint64(m.c.IntN(3)), uint8(m.c.IntN(3))
	}
	changed, err := m.correct(f, w)
	switch {
	case (err != nil) != refused:
		return fmt.Errorf("correct state %d: %v", f, err)
	case refused:
		m.seen[refusedStates]++
		return m.check()
	case f > r.frame:
		missed := r.missed
		if r.journal != nil {
			missed = r.journal.Finish(missed)
		}
		r.begin(f, w)
		r.missed, r.fresh = missed, len(missed) > 0
		m.seen[jumps]++
		if !changed {
			return errors.New("a jump has changed nothing")
		}
		return m.checkRuns()
	}
	if want := w != r.states[f-r.start]; changed != want {
		return fmt.Errorf("state %d has changed: %v, not %v", f, changed, want)
	}
	if r.states[f-r.start] = w; changed && f < r.frame {
		r.replaced, r.latest = min(r.replaced, f), max(r.latest, f)
	}
	if r.settleBelow(f); changed {
		m.seen[correctedStates]++
	} else {
		m.seen[rightStates]++
	}
	return m.checkRuns()
}

// redo simulates the wrong frames before frame end again.
func (r *reference) redo(end Frame) {
	from := r.wrong()
	if from >= end {
		return
	}
	r.lose()
	last := max(from, r.latest)
	r.replaced, r.latest = rollback.NoFrame, 0
	for f := from; f < r.frame; f++ {
		if m, _ := r.now(f); m != r.used[f-r.start] {
			r.used[f-r.start], last = m, max(last, f)
		}
	}
	f, same := from, false
	for ; f != end && !same; f++ {
		_, known := r.now(f)
		s, e := r.simulate(f, r.used[f-r.start], known)
		same = s == r.states[f+1-r.start] && f >= last
		r.states[f+1-r.start], r.ends[f-r.start] = s, e
	}
	if f != end {
		r.stats.EarlyStops++
	}
	r.count(end-from, f-from)
	if !same && end != r.frame {
		r.replaced, r.latest = end, max(end, last)
	}
}

// settleBelow makes the inputs with which the frames before f were simulated facts.
func (r *reference) settleBelow(f Frame) {
	if r.complete() < f {
		r.read = max(r.read, f)
	}
	for p := range Player(r.cfg.Players) {
		for g := r.given; g < f; g++ {
			if !r.known(p, g) {
				*r.fact(p, g) = fact{true, r.used[g-r.start].in[p], r.used[g-r.start].orders[p]}
			}
		}
	}
	r.given, r.agreedTo, r.fresh = max(r.given, f), max(r.agreedTo, f), r.journal != nil
}

// newClient draws the match of a client.
func newClient(c chooser) *match {
	m := newMatch(c)
	m.client, m.r.wide = true, true
	return m
}

// Rule: the engine of a client does the same as the reference, whatever it supposes, learns
// and is given, in any order.
func TestTheEngineOfAClientFollowsTheRules(t *testing.T) {
	want := 1_000_000
	if testing.Short() {
		want = 60_000
	}
	var all coverage
	for operations := 0; operations < want; {
		seed := rand.Uint64() | 1
		if *seedFlag != 0 {
			seed = *seedFlag
		}
		m := newClient(seeded(seed))
		err := m.run(3000)
		if all.add(&m.seen); err != nil {
			t.Fatalf("-rollback.seed=%d: %v: %v", seed, m, err)
		}
		operations += m.operations
	}
	for _, i := range []int{suppositions, lessons, correctedStates, rightStates, refusedStates, jumps} {
		if all[i] == 0 {
			t.Errorf("never seen: %s", counterNames[i])
		}
	}
	t.Log(&all)
}

// Negative control: a client whose truth differs from that of the reference is detected.
func TestADeviationOfAClientIsFound(t *testing.T) {
	for name, spoil := range map[string]func(m *match){
		"a supposition that the reference has not": func(m *match) {
			for p := range m.r.who {
				clear(m.r.who[p].supposed)
				m.r.who[p].supposed[m.r.frame] = fact{true, 200, ""}
			}
		},
		"a state that the reference has not": func(m *match) { m.r.states[m.r.frame-m.r.start].Sum += 9 },
		"a state that was settled":           func(m *match) { m.r.given++ },
	} {
		found := false
		for seed := uint64(1); seed < 60 && !found; seed++ {
			m := newClient(seeded(seed))
			if err := m.run(200); err != nil {
				t.Fatal("wrong before it was spoiled:", err)
			}
			spoil(m)
			found = m.run(1000) != nil
		}
		if !found {
			t.Errorf("%s: not found", name)
		}
	}
}

// Rule: the same, in matches made by a fuzzer.
func FuzzClient(f *testing.F) {
	f.Add([]byte{1, 2, 3})
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 7))
		b := make([]byte, 2000)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 4<<10 {
			return
		}
		if err := newClient(&bytesChooser{b}).run(4 << 10); err != nil {
			t.Fatal(err)
		}
	})
}
