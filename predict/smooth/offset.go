package smooth

import (
	"math"
	"time"
)

// What an [Offset] that says nothing else uses.
const (
	// DefaultHalfLife hides a correction of the usual size, and is too short to be
	// felt in the steering.
	DefaultHalfLife = 60 * time.Millisecond
	// DefaultLongest is how long an error is shown at most.
	DefaultLongest = 400 * time.Millisecond
)

// Vec is a place or a difference in the game's units. Games in the plane leave the
// third number at 0; an angle takes the first one of an Offset of its own.
type Vec [3]float64

// Offset is how far what is shown is from what is predicted. A correction moves the
// prediction at once, and what is shown stays where it is and follows. The zero value
// is ready.
//
//	c, err := predictor.Accept(&update)
//	offset.Add(difference(c.Before, c.After)) // where it was, minus where it is now
//	...
//	offset.Advance(sinceTheLastPicture)
//	draw(position(predictor.State()), offset.At())
//
// An error e is shown after the time t as
//
//	e * (2^(-t/HalfLife) - 2^(-Longest/HalfLife)) / (1 - 2^(-Longest/HalfLife))
//
// so that it is halved after about HalfLife, and reaches 0 at Longest without a jump.
// An error that comes on top of what is left of another one is added to it, and the
// time begins anew. If Fastest is set, an error that this would make smaller by more than
// that is made smaller evenly at first, until the rest of it follows the formula.
type Offset struct {
	// HalfLife is the time in which an error is halved, about. The default is
	// [DefaultHalfLife].
	HalfLife time.Duration
	// Longest is the time after which nothing is left of an error. The default is
	// [DefaultLongest].
	Longest time.Duration
	// Snap is the distance, in the game's units, from which on an error is not
	// hidden: a player that was moved far is to see it at once. With 0 there is no
	// such distance.
	Snap float64
	// Fastest is by how many units a second an error is made smaller at most, beside the
	// motion of the player: a large one takes longer, and does not show as a jump. With 0
	// there is no limit.
	Fastest float64

	from  Vec // at age 0
	age   time.Duration
	even  time.Duration // for how long it is made smaller evenly
	after float64       // which part of it is left then
}

// Add adds an error: where the prediction was, minus where it is now. If what is
// shown would then be off by Snap or more, or is no number, nothing is: it is shown
// where it is.
func (o *Offset) Add(e Vec) {
	sum := o.At()
	for i := range sum {
		sum[i] += e[i]
	}
	o.from, o.age, o.even, o.after = sum, 0, 0, 1
	size := math.Sqrt(sum[0]*sum[0] + sum[1]*sum[1] + sum[2]*sum[2])
	if o.Snap > 0 && size >= o.Snap || math.IsNaN(size) || math.IsInf(size, 1) {
		o.Reset()
		return
	}
	if most := o.Fastest / o.fall(); o.Fastest > 0 && size > most {
		o.even = time.Duration(min((size-most)/o.Fastest, maxEven) * float64(time.Second))
		o.after = most / size
	}
}

// maxEven is for how many seconds an error is made smaller evenly at most.
const maxEven = 3600

// fall is which part of an error disappears in a second, as it begins to.
func (o *Offset) fall() float64 {
	rate := math.Ln2 / o.halfLife().Seconds()
	return rate / -math.Expm1(-rate*o.longest().Seconds())
}

// Reset shows what is predicted from now on.
func (o *Offset) Reset() { o.from, o.age, o.even = Vec{}, 0, 0 }

// Advance takes note that time has passed. Less than nothing counts as nothing.
func (o *Offset) Advance(d time.Duration) {
	d = max(d, 0)
	if d < o.longest()+o.even-o.age { // the sum could overflow
		o.age += d
	} else {
		o.Reset()
	}
}

// At returns what to add to the prediction in the next picture.
func (o *Offset) At() Vec {
	share := o.share()
	v := o.from
	for i := range v {
		v[i] *= share
	}
	return v
}

// share is the part of an error that is left. Expm1 keeps it exact where Longest is
// a small part of HalfLife.
func (o *Offset) share() float64 {
	if o.age < o.even {
		return 1 - (1-o.after)*float64(o.age)/float64(o.even)
	}
	part := 1.0
	if o.even > 0 {
		part = o.after
	}
	rate := -math.Ln2 / float64(o.halfLife())
	end := math.Expm1(rate * float64(o.longest()))
	return part * (math.Expm1(rate*float64(o.age-o.even)) - end) / -end
}

func (o *Offset) halfLife() time.Duration {
	if o.HalfLife > 0 {
		return o.HalfLife
	}
	return DefaultHalfLife
}

func (o *Offset) longest() time.Duration {
	if o.Longest > 0 {
		return min(o.Longest, math.MaxInt64/2)
	}
	return DefaultLongest
}

// Turn returns the shorter way from one angle to another, in radians, from -pi to pi.
func Turn(from, to float64) float64 { return math.Remainder(to-from, 2*math.Pi) }
