package rollback_test

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// reference implements the rules of the package in the simplest way: it keeps every input,
// absence, state and outcome of a match for ever. Slices are by frame, from start.
type reference struct {
	cfg     rollback.Config // with defaults
	wide    bool            // a frame far behind may be wrong
	stops   bool            // the game can tell whether two states are equal
	predict rollback.Predictor[button]
	first   world // state 0

	start, frame, agreedTo, read, judged Frame
	given                                Frame // the newest state that was given; frames before it stand
	replaced, latest                     Frame // a state that was given and is not simulated from yet, and the last frame to run again at least; NoFrame
	missed                               []effects.Event
	returned                             bool  // somebody came back in a frame that had run
	high                                 Frame // the most that was confirmed since somebody was connected

	who     [rollback.MaxPlayers]refPlayer
	states  []world  // as last simulated
	used    []moment // likewise, to state i + 1
	ends    []ending // likewise
	outcome rollback.Outcome
	over    bool
	stats   rollback.Stats
	runs    []simulated

	journal *effects.Journal
	fresh   bool
	asked   Frame // when there was news last
}

// ending is whether and how a frame finished the match.
type ending struct {
	finished bool
	result   uint64
}

type refPlayer struct {
	facts    []fact
	supposed map[Frame]fact
	absences []span
	cut      Frame // the last one
	next     Frame
	delay    int
	sampled  Frame // the frame of the newest sample; NoFrame if none
}

type fact struct {
	known  bool
	in     button
	orders string
}

// span is frames from first to before end.
type span struct{ first, end Frame }

func (w *refPlayer) gone(f Frame) bool {
	for _, s := range w.absences {
		if s.first <= f && f < s.end {
			return true
		}
	}
	return false
}

// leaving reports whether the player is to leave for good, or has.
func (w *refPlayer) leaving() bool {
	return len(w.absences) > 0 && w.absences[len(w.absences)-1].end == rollback.NoFrame
}

func newReference(cfg rollback.Config, first world, stops bool, predict rollback.Predictor[button], k []effects.Declaration) *reference {
	r := &reference{cfg: cfg, first: first, stops: stops, predict: predict}
	for p := range r.who {
		r.who[p].delay = cfg.Delay[p]
	}
	if len(k) > 0 {
		j, err := effects.NewJournal(effects.Config{Kinds: k, MaxPerFrame: cfg.MaxEffects, History: 2*cfg.History + 1})
		if err != nil {
			panic(err)
		}
		r.journal = j
	}
	r.begin(0, first)
	return r
}

// begin starts a match at any frame.
func (r *reference) begin(start Frame, s world) {
	r.start, r.frame, r.agreedTo, r.read, r.judged, r.high = start, start, start, start, start, start
	r.states, r.used, r.ends = append(r.states[:0], s), r.used[:0], r.ends[:0]
	r.given, r.replaced, r.latest, r.missed, r.returned = start, rollback.NoFrame, 0, nil, false
	r.over, r.fresh, r.asked, r.runs = false, false, start, nil
	for p := range r.who {
		r.who[p] = refPlayer{supposed: map[Frame]fact{}, next: start, delay: r.who[p].delay, sampled: rollback.NoFrame}
	}
	r.stats = rollback.Stats{Histogram: make([]uint64, max(r.cfg.Window, r.cfg.SyncTest)+1)}
	if r.journal != nil {
		r.journal.Reset(start)
	}
}

// fact returns where the input of a player in a frame is kept.
func (r *reference) fact(p Player, f Frame) *fact {
	w := &r.who[p]
	for int(f-r.start) >= len(w.facts) {
		w.facts = append(w.facts, fact{})
	}
	return &w.facts[f-r.start]
}

// known reports whether it is known what player p does in frame f.
func (r *reference) known(p Player, f Frame) bool {
	w := &r.who[p]
	return w.gone(f) || int(f-r.start) < len(w.facts) && w.facts[f-r.start].known
}

// next returns the first frame of p that is not known.
func (r *reference) next(p Player) Frame {
	w := &r.who[p]
	for r.known(p, w.next) {
		if w.leaving() && w.gone(w.next) && w.next >= w.absences[len(w.absences)-1].first {
			return rollback.NoFrame
		}
		w.next++
	}
	return w.next
}

// complete returns how many frames have all their inputs: NoFrame if no player is left to
// give any.
func (r *reference) complete() Frame {
	c := rollback.NoFrame
	for p := range Player(r.cfg.Players) {
		c = min(c, r.next(p))
	}
	return c
}

// confirmed is that, or if nobody is left, all that they did or were to do, or the current
// frame. It goes back only to where somebody is connected.
func (r *reference) confirmed() Frame {
	c := r.complete()
	if c == rollback.NoFrame {
		c = r.frame
		for p := range r.cfg.Players {
			c = max(c, r.who[p].cut)
		}
	}
	if c < r.high {
		panic("the rules let Confirmed go back")
	}
	r.high = max(r.high, c)
	return r.high
}

// agreed is the owner's number, or everything that is confirmed if there are no peers.
func (r *reference) agreed() Frame {
	if r.alone() {
		return r.confirmed()
	}
	return r.agreedTo
}

func (r *reference) alone() bool { return r.cfg.Local == 1<<r.cfg.Players-1 }

// fill writes what is known of frame f into m, and returns for which players.
func (r *reference) fill(m *moment, f Frame) (known PlayerSet) {
	for p := range Player(r.cfg.Players) {
		switch {
		case r.who[p].gone(f):
			m.in[p], m.orders[p] = 0, ""
			m.gone |= 1 << p
		case r.known(p, f):
			k := r.fact(p, f)
			m.in[p], m.orders[p] = k.in, k.orders
		default:
			continue
		}
		known |= 1 << p
	}
	return known
}

// now returns frame f as it would be simulated now: known inputs, and predictions for the
// others.
func (r *reference) now(f Frame) (m moment, known PlayerSet) {
	known = r.fill(&m, f)
	for p := range Player(r.cfg.Players) {
		if s := r.who[p].supposed[f]; known.Has(p) {
			continue
		} else if s.known {
			m.in[p], m.orders[p] = s.in, s.orders
		} else {
			m.in[p] = r.guess(p, f)
		}
	}
	return m, known
}

// guess: the newest input before that is known, or zero.
func (r *reference) guess(p Player, f Frame) button {
	at, last := rollback.NoFrame, button(0)
	for g := f; g > r.start && at == rollback.NoFrame; g-- {
		if r.known(p, g-1) {
			at = g - 1
			if !r.who[p].gone(at) {
				last = r.fact(p, at).in
			}
		} else if s := r.who[p].supposed[g-1]; s.known {
			at, last = g-1, s.in
		}
	}
	if r.predict != nil {
		return r.predict(p, f, at, last)
	}
	return last
}

// wrong returns the earliest frame that was simulated with other inputs than those now
// known, or NoFrame. Inputs that were known when it ran cannot be wrong.
func (r *reference) wrong() Frame {
	f := r.start
	if back := Frame(r.cfg.Window) + 1; r.frame-r.start > back && !r.wide {
		f = r.frame - back
	}
	for f = max(f, r.given); f < r.frame && f < r.replaced; f++ {
		m := r.used[f-r.start]
		m.gone = 0
		if r.fill(&m, f); m != r.used[f-r.start] {
			return f
		}
	}
	return r.replaced
}

// simulate runs frame f with m.
func (r *reference) simulate(f Frame, m moment, known PlayerSet) (world, ending) {
	var out *effects.Emitter
	if r.journal != nil {
		r.journal.Begin(f)
		out, r.fresh = r.journal.Emitter(), true
	}
	r.runs = append(r.runs, simulated{f, m, known, f < r.frame})
	s := r.states[f-r.start]
	finished, result := s.step(&m, Player(r.cfg.Players), f, out)
	if !finished {
		result = 0
	}
	return s, ending{finished, result}
}

// correct is the one rollback for all corrections since the last.
func (r *reference) correct() {
	from := r.wrong()
	if from == rollback.NoFrame {
		return
	}
	last, depth, done := max(from, r.latest), r.frame-from, Frame(0)
	r.replaced, r.latest = rollback.NoFrame, 0
	for f := from; f < r.frame; f++ {
		if m, _ := r.now(f); m != r.used[f-r.start] {
			r.used[f-r.start], last = m, max(last, f)
		}
	}
	for f := from; f < r.frame; f++ {
		_, known := r.now(f)
		s, end := r.simulate(f, r.used[f-r.start], known)
		done++
		same := s == r.states[f+1-r.start]
		r.states[f+1-r.start], r.ends[f-r.start] = s, end
		if r.stops && same && f >= last && f+1 < r.frame {
			r.stats.EarlyStops++
			break
		}
	}
	r.count(depth, done)
}

func (r *reference) count(depth, done Frame) {
	r.stats.Rollbacks++
	r.stats.Resimulated += uint64(done)
	r.stats.Skipped += uint64(depth - done)
	r.stats.Deepest = max(r.stats.Deepest, int(depth))
	r.stats.Histogram[min(int(depth), len(r.stats.Histogram)-1)]++
}

// verify is the sync test, which passes in all of these matches.
func (r *reference) verify() {
	depth := min(Frame(r.cfg.SyncTest), r.frame-r.given)
	if r.cfg.SyncTest == 0 {
		return
	}
	for f := r.frame - depth; f < r.frame; f++ {
		_, known := r.now(f)
		r.simulate(f, r.used[f-r.start], known)
		r.stats.Compared++
	}
	r.count(depth, depth)
}

// replay simulates the match again, from its first state and all known inputs. It returns
// the states of the confirmed frames.
func (r *reference) replay() []world {
	s := r.states[r.given-r.start]
	list := []world{s}
	for f := r.given; f < min(r.frame, r.complete()); f++ {
		m, _ := r.now(f)
		s.step(&m, Player(r.cfg.Players), f, nil)
		list = append(list, s)
	}
	return list
}
