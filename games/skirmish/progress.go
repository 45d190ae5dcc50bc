package skirmish

import "github.com/tickback/tickback/fixed"

// How long a unit that walks does not come forward is counted in Task.Stuck, in decisions, of which there are
// fifteen a second: delay more for each in which it hardly came nearer to where its way leads, and 1 less for
// each in which it did. In a jam units are pushed to and fro, so that half of the decisions look like progress:
// three of four must be for the count to fall.
//
//   - From contact on, who touches one that rests around the same goal rests, too, if the goal is near. So a crowd
//     packs itself around its goal, however much room there is.
//   - From detour on, it passes through its own side, at first with a count of freely: until it has come
//     forward for about four seconds. So streams that meet in a gap, or a crowd that rests there, go on.
//   - At givesUp it stays where it is: even so nothing moves, as between enemies.
const (
	delay   = 3
	contact = 10 * delay
	detour  = 30 * delay
	freely  = detour + 60
	givesUp = 255
)

// progress counts whether the unit came forward in a decision.
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

// Rests reports whether the unit has come to its goal, or to the crowd around it, and has done nothing else since.
func (t *Task) Rests() bool { return t.Verb == 0 && t.Goal != Spot{} }

// roomy is how much farther than twice the radius of its group a crowd around a goal may reach: groups meet.
const roomy = 4 * fixed.One

// around reports whether a unit that is so far from its goal can be in the crowd around it. Who is farther away
// passes through the others instead of resting with them: else a jam on the way would come to rest, too.
func (t *Task) around(to fixed.Vec2) bool { return within(to, 2*t.radius()+roomy) }

// radius is that of the disc in which the unit's group has room.
func (t *Task) radius() fixed.Num { return fixed.Num(t.Near) * (fixed.One / 4) }
