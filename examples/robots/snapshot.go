package robots

import (
	"maps"
	"slices"

	"github.com/tickback/tickback/rng"
)

// Snapshot is the image of a state: the same as a [World], with an index for each
// pointer. It shares no memory with any world, and once it has grown to the largest
// state it is filled again and again without allocating.
type Snapshot struct {
	Frame   uint32
	LastID  uint32
	Winner  uint8
	First   int8 // index of a robot; none (-1) without robots
	Rng     rng.Xorshift128Plus
	Robots  []RobotImage  // by player
	Bullets []BulletImage // the newest one first
	Mines   map[Cell]MineImage
}

// RobotImage is the image of a [Robot].
type RobotImage struct {
	Body
	Target int8 // index of a robot, or none
	Last   int8 // index of a bullet, or none
	Next   int8 // index of a robot
	VM     VM
}

// BulletImage is the image of a [Bullet]. Its place in the list is its index.
type BulletImage struct {
	Shot
	By int8 // index of a robot
}

// MineImage is the image of a [Mine].
type MineImage struct {
	ID, Until uint32
	By        int8 // index of a robot
}

// none is the index that stands for nil.
const none = -1

// index returns the index of a robot. Robots never change their places, so it is the number of the player.
func index(r *Robot) int8 {
	if r == nil {
		return none
	}
	return int8(r.Player)
}

// save makes the image of w. Everything in *s is overwritten, but its memory is reused, and the result does
// not depend on the order of a map.
func (w *World) save(s *Snapshot) {
	s.Frame, s.LastID, s.Winner, s.Rng, s.First = w.Frame, *w.serial(), w.Winner, w.Rng, index(w.First)
	s.Bullets = s.Bullets[:0]
	for b := w.Bullets; b != nil; b = b.Next {
		s.Bullets = append(s.Bullets, BulletImage{b.Shot, index(b.By)})
	}
	s.Robots = grow(s.Robots, len(w.Robots))
	for i, r := range w.Robots {
		// Field by field: assigning a whole RobotImage would drop the slices of the
		// old one, which VM.set is about to use again.
		to := &s.Robots[i]
		to.Body, to.Target, to.Last, to.Next = r.Body, index(r.Target), w.indexOf(r.Last), index(r.Next)
		to.VM.set(&r.VM)
	}
	// A map is a reference: assigning it would let the slot follow the game. Clearing
	// keeps the memory, and the order of the visit does not matter to a copy.
	if s.Mines == nil {
		s.Mines = make(map[Cell]MineImage, MaxMines)
	}
	clear(s.Mines)
	for c, m := range w.Mines {
		s.Mines[c] = MineImage{m.ID, m.Until, index(m.By)}
	}
}

// grow returns list with length n. Elements that it once had come back as they were,
// so that the slices in them can be used again.
func grow[T any](list []T, n int) []T {
	list = list[:cap(list)] //detlint:ignore capacity the caller writes over every field, and wants only the memory in them
	return slices.Grow(list, max(n-len(list), 0))[:n]
}

// indexOf returns a bullet's place in the list. There is at most one such bullet for
// each robot, and the list is short: a table would cost more than these steps.
func (w *World) indexOf(bullet *Bullet) int8 {
	if bullet == nil {
		return none
	}
	i := int8(0)
	for b := w.Bullets; b != bullet; b = b.Next {
		i++
	}
	return i
}

// restore makes w equal to the image, in the memory that w has: all things first, and then the links between them,
// since links can point forward and form circles.
func (w *World) restore(s *Snapshot) {
	w.clear()
	w.Frame, w.Winner, w.Rng = s.Frame, s.Winner, s.Rng
	*w.serial() = s.LastID //detlint:ignore globals the ported game keeps its global on purpose, and saves it with the state
	for w.Robots = w.Robots[:0]; len(w.Robots) < len(s.Robots); {
		w.robot()
	}
	w.list = w.list[:0]
	link := &w.Bullets
	for i := range s.Bullets {
		b := w.bullet()
		b.Shot, b.By, b.Next = s.Bullets[i].Shot, w.Robots[s.Bullets[i].By], nil
		*link, link = b, &b.Next
		w.list = append(w.list, b)
	}
	for i := range s.Robots {
		from, r := &s.Robots[i], w.Robots[i]
		r.Body, r.Target, r.Next = from.Body, w.robotOf(from.Target), w.robotOf(from.Next)
		if r.Last = nil; from.Last != none {
			r.Last = w.list[from.Last]
		}
		r.VM.set(&from.VM)
	}
	for c, m := range s.Mines {
		w.Mines[c] = Mine{m.ID, m.Until, w.robotOf(m.By)}
	}
	w.First = w.robotOf(s.First)
}

// robotOf returns the robot with an index: it is the inverse of index.
func (w *World) robotOf(i int8) *Robot {
	if i == none {
		return nil
	}
	return w.Robots[i]
}

// equal reports whether two images show the same state.
func (s *Snapshot) equal(o *Snapshot) bool {
	return s.Frame == o.Frame && s.LastID == o.LastID && s.Winner == o.Winner && s.First == o.First && s.Rng == o.Rng &&
		slices.Equal(s.Bullets, o.Bullets) && maps.Equal(s.Mines, o.Mines) &&
		slices.EqualFunc(s.Robots, o.Robots, func(a, b RobotImage) bool {
			return a.Body == b.Body && a.Target == b.Target && a.Last == b.Last && a.Next == b.Next && a.VM.equal(&b.VM)
		})
}
