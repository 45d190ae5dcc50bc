package robots

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// What happens once, and what lasts. The keys are players and cells, not ids: ids are counted, and a
// correction of the past would change them.
var (
	Fired     = effects.OneShot[Cell](1, "fired")                 // the key is the player, the value the place
	Exploded  = effects.OneShot[struct{}](2, "exploded")          // the key is the cell
	Destroyed = effects.OneShot[Cell](3, "destroyed")             // the key is the player, the value the place
	Smoking   = effects.Sustained[Fault](4, "smoking")            // the key is the player, the value why its program has failed
	Over      = effects.OneShot[uint8](5, "over").OnlyConfirmed() // the winner's number + 1
)

// step advances the world by one frame.
func (w *World) step(t *rollback.Tick[Action]) {
	for len(w.Robots) < int(min(t.Players(), MaxPlayers)) {
		w.join()
	}
	w.Frame++
	out := t.Effects()
	w.fly(out)
	w.expire(out)
	if w.First != nil {
		w.First = w.First.Next
	}
	for r, n := w.First, len(w.Robots); n > 0; n-- {
		next := r.Next // coming back moves r to the end of the ring
		w.turn(r, t)
		r = next
	}
	if w.Winner != 0 {
		t.Finish(uint64(w.Winner))
	}
}

// join adds the next player's robot, to the end of the ring.
func (w *World) join() {
	if w.Mines == nil { // a zero World, which is state 0 of no seed
		w.Mines = make(map[Cell]Mine, MaxMines)
	}
	r := w.robot()
	r.Body = Body{Player: uint8(len(w.Robots) - 1)}
	r.Target, r.Last, r.Next = nil, nil, r
	r.VM.Load(nil)
	if w.First == nil {
		w.First = r
	}
	w.before(w.First).Next, r.Next = r, w.First
	w.place(r)
}

// before returns whose turn comes before r's.
func (w *World) before(r *Robot) *Robot {
	b := r
	for b.Next != r {
		b = b.Next
	}
	return b
}

// place puts a robot on the field, anew, on a free cell. It looks at one cell after
// the other from a random one, and does not draw again until one is free: a state
// from elsewhere may have a generator that always draws the same.
func (w *World) place(r *Robot) {
	r.At = Cell(w.Rng.Next() % cells)
	for w.robotAt(r.At, r) != nil {
		r.At = (r.At + 1) % cells
	}
	r.Hp, r.Down, r.Dir = FullHp, 0, Dir(w.Rng.Next()%dirs)
}

// robotAt returns the robot that stands on a cell, other than the given one.
func (w *World) robotAt(c Cell, other *Robot) *Robot {
	for _, r := range w.Robots {
		if r != other && r.Hp > 0 && r.At == c {
			return r
		}
	}
	return nil
}

// turn runs one robot's part of a tick.
func (w *World) turn(r *Robot, t *rollback.Tick[Action]) {
	p := rollback.Player(r.Player)
	if program := t.Orders(p); len(program) > 0 {
		r.VM.Load(program) // a copy: the bytes are the engine's
	}
	if r.VM.Fault != Running {
		Smoking.Emit(t.Effects(), uint32(p), r.VM.Fault)
	}
	if r.Reload > 0 {
		r.Reload--
	}
	switch {
	case t.Status(p) == rollback.Disconnected:
	case r.Hp > 0:
		// A number is drawn whether it is used or not: a prediction that was wrong, and
		// made no difference, then makes none to the generator, and the engine can
		// stop resimulating as soon as the states are equal.
		sensors := w.sense(r, w.Rng.Next())
		a := t.Input(p) % actions
		if a == None {
			a = r.VM.Run(&sensors)
		}
		w.act(r, a, t.Effects())
	case r.Down > 1:
		r.Down--
	default:
		w.place(r)
		w.moveLast(r)
	}
}

// moveLast moves a robot to the end of the ring.
func (w *World) moveLast(r *Robot) {
	if r == w.First {
		w.First = r.Next
		return
	}
	w.before(r).Next = r.Next
	w.before(w.First).Next, r.Next = r, w.First
}

// sense reads a robot's sensors.
func (w *World) sense(r *Robot, random uint64) Sensors {
	s := Sensors{
		SenseFrame: int32(w.Frame), SenseX: r.At.x(), SenseY: r.At.y(), SenseDir: int32(r.Dir),
		SenseHp: int32(r.Hp), SenseReload: int32(r.Reload),
		SenseID: int32(*w.serial()), SenseRandom: int32(random >> 49),
	}
	if r.Target != nil {
		s[SenseTargetX], s[SenseTargetY] = r.Target.At.x()-r.At.x(), r.Target.At.y()-r.At.y()
	}
	if r.Last != nil {
		s[SenseLast] = int32(r.Last.Life)
	}
	return s
}

// act makes a robot do something.
func (w *World) act(r *Robot, a Action, out *effects.Emitter) {
	switch a {
	case Forward:
		if c, free := r.At.ahead(r.Dir); free && w.robotAt(c, r) == nil {
			r.At = c
			w.detonate(c, out)
		}
	case Left:
		r.Dir = (r.Dir + dirs - 1) % dirs
	case Right:
		r.Dir = (r.Dir + 1) % dirs
	case Fire:
		w.fire(r, out)
	case LayMine:
		if _, there := w.Mines[r.At]; !there && len(w.Mines) < MaxMines {
			w.Mines[r.At] = Mine{ID: w.newID(), Until: w.Frame + MineLife, By: r}
		}
	case Lock:
		r.Target = w.nearest(r)
	}
}

// nearest returns the nearest other robot in play, or nil; of several that are
// equally near the one whose turn comes first after r's.
func (w *World) nearest(r *Robot) (best *Robot) {
	least := int32(0)
	for o := r.Next; o != r; o = o.Next {
		d := max(o.At.x()-r.At.x(), r.At.x()-o.At.x()) + max(o.At.y()-r.At.y(), r.At.y()-o.At.y())
		if o.Hp > 0 && (best == nil || d < least) {
			best, least = o, d
		}
	}
	return best
}
