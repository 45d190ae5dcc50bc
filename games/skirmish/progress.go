package skirmish

import "github.com/tickback/tickback/fixed"

// Task.Stuck counts for how long a walking unit has made no progress. It changes with each decision, of which there
// are fifteen a second: it grows by delay if the unit hardly came nearer to where its way leads, and falls by 1 if it
// did. In a jam units are pushed to and fro, so that half of the decisions look like progress: three of four must be
// progress for the count to fall.
//
//   - When the count has reached contact, a unit that touches one that rests around the same goal rests, too, if the
//     goal is near. So a crowd packs itself around its goal, however much room there is.
//   - When it has reached detour, the unit passes through its own side, at first with a count of freely: until it has
//     made progress for about four seconds. So streams that meet in a gap, or in a crowd that rests there, can move on.
//   - At givesUp the unit stays where it is: nothing moves even so, as between enemies.
const (
	delay   = 3
	contact = 10 * delay
	detour  = 30 * delay
	freely  = detour + 60
	givesUp = 255
)

// progress records whether the unit made progress in a decision.
func (t *Task) progress(came bool) {
	switch {
	case came && t.Stuck == detour:
		t.Stuck = 0 // it has passed
	case came:
		t.Stuck = max(t.Stuck, 1) - 1
	case t.Stuck < detour && t.Stuck+delay >= detour:
		t.Stuck = freely
	default:
		t.Stuck = min(t.Stuck, givesUp-delay) + delay
	}
}

// passes reports whether the unit passes through its own side.
func (t *Task) passes() bool { return t.Verb != 0 && t.Stuck >= detour }

// Rests reports whether the unit has reached its goal, or the crowd around it, and has done nothing else since.
func (t *Task) Rests() bool { return t.Verb == 0 && t.Goal != Spot{} }

// roomy is how much farther than twice the radius of its group a crowd around a goal may reach: groups meet.
const roomy = 4 * fixed.One

// around reports whether a unit at this distance from its goal can be in the crowd around it. A unit farther away
// passes through the others instead of resting with them; otherwise a jam on the way would come to rest, too.
func (t *Task) around(to fixed.Vec2) bool { return within(to, 2*t.radius()+roomy) }

// radius returns the radius of the disc in which the unit's group has room.
func (t *Task) radius() fixed.Num { return fixed.Num(t.Near) * (fixed.One / 4) }
