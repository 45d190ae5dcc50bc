package smooth

import (
	"math"
	"time"
)

// Defaults of an [Offset].
const (
	// DefaultHalfLife hides a correction of the usual size, but is too short to be felt in the steering.
	DefaultHalfLife = 60 * time.Millisecond
	// DefaultLongest is the maximum time for which an error is shown.
	DefaultLongest = 400 * time.Millisecond
)

// Vec is a place or a difference in the game's units. Games in the plane leave the third number at 0; for an angle, use
// the first number of a separate Offset.
type Vec [3]float64

// Offset is the distance between what is shown and what is predicted. A correction moves the prediction at once, while
// the shown position stays where it was and then follows. The zero value is ready to use.
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
// so that it is halved after about HalfLife, and reaches 0 at Longest without a jump. A new error is added to what is
// left of the one before, and the time starts anew. If Fastest is set and the formula would be faster than that, the
// error first shrinks linearly, until the rest of it follows the formula.
type Offset struct {
	// HalfLife is roughly the time in which an error is halved. The default is [DefaultHalfLife].
	HalfLife time.Duration
	// Longest is the time after which an error has disappeared completely. The default is [DefaultLongest].
	Longest time.Duration
	// Snap is the distance, in the game's units, from which an error is not hidden: a player that was moved far should see
	// it at once. With 0 there is no such distance.
	Snap float64
	// Fastest is the maximum speed, in units a second, at which an error shrinks, in addition to the motion of the player:
	// a large error takes longer, and does not show as a jump. With 0 there is no limit.
	Fastest float64

	from  Vec // at age 0
	age   time.Duration
	even  time.Duration // for how long it shrinks linearly
	after float64       // the part of it that is left after that; 1 if even is 0
}

// Add adds an error: where the prediction was, minus where it is now. If the shown position would then be off by Snap
// or more, or is not a number, nothing is hidden: the predicted position is shown.
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

// maxEven is the maximum time, in seconds, for which an error shrinks linearly.
const maxEven = 3600

// fall returns which part of an error disappears per second in the beginning.
func (o *Offset) fall() float64 {
	rate := math.Ln2 / o.halfLife().Seconds()
	return rate / -math.Expm1(-rate*o.longest().Seconds())
}

// Reset drops the error: from now on the predicted position is shown.
func (o *Offset) Reset() { o.from, o.age, o.even = Vec{}, 0, 0 }

// Advance adds time that has passed. A negative time counts as zero.
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

// share returns the part of an error that is left. Expm1 keeps it exact if Longest is a small part of HalfLife.
func (o *Offset) share() float64 {
	if o.age < o.even {
		return 1 - (1-o.after)*float64(o.age)/float64(o.even)
	}
	rate := -math.Ln2 / float64(o.halfLife())
	end := math.Expm1(rate * float64(o.longest()))
	return o.after * (math.Expm1(rate*float64(o.age-o.even)) - end) / -end
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

// Turn returns the shortest rotation from one angle to another, in radians, from -pi to pi.
func Turn(from, to float64) float64 { return math.Remainder(to-from, 2*math.Pi) }
