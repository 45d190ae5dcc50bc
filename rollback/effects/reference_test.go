package effects

import (
	"cmp"
	"slices"
)

// reference implements the rules of the package in the simplest way: it
// keeps all emissions of all frames for ever, and examines all of them in
// every Flush.
type reference struct {
	tolerance, most, perFrame int

	line    [][]said                  // of each frame, as last simulated
	shots   map[occurrence]*shownShot // shown and not settled
	sounds  []*shownSound             // on, in the order of their start
	dropped int

	flushes            int
	certain            bool // in this Flush
	beforeFinal, final int  // frames that are final, at the last Flush and at this one
	events             []Event
}

type said struct {
	k   Kind[uint8]
	key uint32
	p   uint8
}

type occurrence struct {
	who said // without payload
	f   int
}

type shownShot struct {
	p        uint8
	orphaned int // the number of the Flush that found it so; 0 if it is none
	place    int // in the order of its frame, when last emitted
}

type shownSound struct {
	who       said // with the payload reported
	start     int
	confirmed bool
}

func newReference(cfg Config) *reference {
	cfg = cfg.withDefaults()
	return &reference{
		tolerance: cfg.Tolerance, most: cfg.MaxPerFrame * (cfg.Tolerance + 1), perFrame: cfg.MaxPerFrame,
		shots: map[occurrence]*shownShot{},
	}
}

func (s said) anonymous() said  { s.p = 0; return s }
func (s said) is(m mode) bool   { return s.k.spec.mode&m != 0 }
func (s said) same(o said) bool { return s.k == o.k && s.key == o.key }

// begin replaces a frame.
func (r *reference) begin(f int, all []said) {
	if f == len(r.line) {
		r.line = append(r.line, nil)
	}
	var list []said
	for _, e := range all {
		if i := slices.IndexFunc(list, e.same); i >= 0 {
			list[i].p = e.p
		} else if len(list) < r.perFrame {
			list = append(list, e)
		} else {
			r.dropped++
		}
	}
	r.line[f] = list
}

// at returns where in frame f the identity is emitted, or -1.
func (r *reference) at(f int, who said) int {
	if f < 0 || f >= len(r.line) {
		return -1
	}
	return slices.IndexFunc(r.line[f], who.same)
}

func (r *reference) report(w What, who said, f, from int) {
	e := Event{What: w, Kind: who.k.ID(), Key: who.key, Frame: Frame(f), From: Frame(from), spec: who.k.spec}
	if w == Started {
		e.Late = uint32(len(r.line) - 1 - f)
	}
	e.payload[0] = who.p
	r.events = append(r.events, e)
}

func (r *reference) flush(confirmed, agreed int) []Event {
	r.events = nil
	r.flushes++
	r.certain = confirmed >= len(r.line)
	r.beforeFinal, r.final = r.final, max(r.final, min(agreed, len(r.line)))
	r.matchOrphans()
	r.followSounds()
	r.startShots()
	r.startSounds(false)
	r.startSounds(true)
	for f := r.beforeFinal; f < r.final; f++ {
		for _, e := range r.line[f] {
			if e.is(sustained) {
				continue
			}
			if e.is(onlyConfirmed) {
				r.report(Started, e, f, f)
			}
			r.report(Confirmed, e, f, f)
			delete(r.shots, occurrence{e.anonymous(), f})
		}
	}
	for _, s := range r.sounds {
		if !s.confirmed && s.start < r.final && r.at(s.start, s.who) >= 0 {
			s.confirmed = true
			r.report(Confirmed, s.who, s.start, s.start)
		}
	}
	return r.events
}

// orphans returns the shown occurrences that are not emitted, in order.
func (r *reference) orphans() []occurrence {
	var list []occurrence
	for o, s := range r.shots {
		if i := r.at(o.f, o.who); i >= 0 {
			s.orphaned, s.place = 0, i
			continue
		}
		if s.orphaned == 0 {
			s.orphaned = r.flushes
		}
		list = append(list, o)
	}
	slices.SortFunc(list, func(a, b occurrence) int {
		x, y := r.shots[a], r.shots[b]
		return cmp.Or(cmp.Compare(a.f, b.f), cmp.Compare(x.orphaned, y.orphaned), cmp.Compare(x.place, y.place))
	})
	return list
}

func (r *reference) matchOrphans() {
	waiting := 0
	for _, o := range r.orphans() {
		shown := r.shots[o]
		best := -1
		for f := max(r.beforeFinal, o.f-r.tolerance); f <= o.f+r.tolerance; f++ {
			if r.at(f, o.who) < 0 || r.shots[occurrence{o.who, f}] != nil {
				continue
			}
			if best < 0 || max(f-o.f, o.f-f) < max(best-o.f, o.f-best) {
				best = f
			}
		}
		switch {
		case best >= 0:
			i := r.at(best, o.who)
			e := r.line[best][i]
			r.report(Moved, e, best, o.f)
			r.shots[occurrence{o.who, best}] = &shownShot{p: e.p, place: i}
			delete(r.shots, o)
		case len(r.line)-1 >= o.f+r.tolerance || waiting == r.most:
			who := o.who
			who.p = shown.p
			r.report(Cancelled, who, o.f, o.f)
			delete(r.shots, o)
		default:
			waiting++
		}
	}
}

func (r *reference) startShots() {
	for f := r.beforeFinal; f < len(r.line); f++ {
		for i, e := range r.line[f] {
			if e.is(sustained | onlyConfirmed) {
				continue
			}
			o := occurrence{e.anonymous(), f}
			if s := r.shots[o]; s == nil {
				r.shots[o] = &shownShot{p: e.p, place: i}
				r.report(Started, e, f, f)
			} else if s.p != e.p {
				s.p = e.p
				r.report(Updated, e, f, f)
			}
		}
	}
}
