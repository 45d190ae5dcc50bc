package smooth

import (
	"errors"
	"fmt"
	"time"
)

// ErrConfig means that a [TrackConfig] makes no sense; the message says why.
var ErrConfig = errors.New("smooth: bad config")

// Defaults and limits of a [TrackConfig].
const (
	// DefaultDelay is the time of two states of a server that sends 20 a second: one may be lost or late.
	DefaultDelay = 100 * time.Millisecond
	// DefaultBeyond is how far a track extrapolates.
	DefaultBeyond = 100 * time.Millisecond
	// DefaultKeep is more than a second of states at 20 a second.
	DefaultKeep = 32
	// MaxKeep bounds the memory of a track.
	MaxKeep = 1 << 12
)

// TrackConfig configures a [Track].
type TrackConfig[T any] struct {
	// Blend returns the value between a and b: a at share 0, b at share 1. Above 1 it extrapolates beyond b; return b if
	// that makes no sense.
	Blend func(a, b T, share float64) T

	// Delay is how far in the past, relative to the samples' time, a track is shown: at least the time between two
	// samples, plus the time that one may be late. The default is [DefaultDelay].
	Delay time.Duration

	// Beyond is the maximum time for which a track extrapolates beyond the newest sample. The default is [DefaultBeyond];
	// a negative value turns extrapolation off.
	Beyond time.Duration

	// Keep is how many samples are kept, 2 to [MaxKeep]: at least those within the delay. The default is [DefaultKeep].
	Keep int
}

func (c TrackConfig[T]) withDefaults() (TrackConfig[T], error) {
	if c.Delay == 0 {
		c.Delay = DefaultDelay
	}
	if c.Beyond == 0 {
		c.Beyond = DefaultBeyond
	}
	if c.Keep == 0 {
		c.Keep = DefaultKeep
	}
	c.Beyond = max(c.Beyond, 0)
	switch {
	case c.Blend == nil:
		return c, fmt.Errorf("%w: Blend is missing", ErrConfig)
	case c.Delay < 0:
		return c, fmt.Errorf("%w: Delay is %v, less than nothing", ErrConfig, c.Delay)
	case c.Keep < 2 || c.Keep > MaxKeep:
		return c, fmt.Errorf("%w: Keep is %d, not 2 to %d", ErrConfig, c.Keep, MaxKeep)
	}
	return c, nil
}

// Shown says how the value that a [Track] shows was obtained.
type Shown uint8

// The values of Shown.
const (
	Nothing Shown = iota // there is no sample yet
	First                // the oldest sample, since its time has not come yet
	Between              // samples on both sides
	Guessed              // extrapolated beyond the newest sample from the last two
	Held                 // the newest sample, or the last guess: there is no later one
)

var shownNames = [...]string{"nothing", "first", "between", "guessed", "held"}

// String names the value.
func (s Shown) String() string {
	if int(s) < len(shownNames) {
		return shownNames[s]
	}
	return "unknown"
}

// Track shows another player with a delay, interpolated between the samples that have
// arrived. It allocates nothing after construction.
type Track[T any] struct {
	config  TrackConfig[T]
	samples []sample[T] // a ring
	first   int
	count   int
	ignored uint64
}

// sample is a received value.
type sample[T any] struct {
	at    time.Duration
	value T
	cut   bool // no motion leads from the sample before to this one
}

// NewTrack returns a track without samples. The error is [ErrConfig].
func NewTrack[T any](c TrackConfig[T]) (*Track[T], error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	return &Track[T]{config: c, samples: make([]sample[T], c.Keep)}, nil
}

// Add adds a sample and the time to which it belongs, by the clock of its sender: the server's frame times its period,
// from 0 on. A sample that is not later than the newest, or has a negative time, is ignored and counted, and Add
// returns false. If the track is full, the oldest sample is dropped.
func (t *Track[T]) Add(at time.Duration, v T) bool { return t.add(sample[T]{at: at, value: v}) }

// Cut is Add for a sample that is not connected to the one before, such as a respawn. Until its time comes, the sample
// before it is shown.
func (t *Track[T]) Cut(at time.Duration, v T) bool {
	return t.add(sample[T]{at: at, value: v, cut: true})
}

func (t *Track[T]) add(s sample[T]) bool {
	if s.at < 0 || t.count > 0 && s.at <= t.at(t.count-1).at {
		t.ignored++
		return false
	}
	if t.count == len(t.samples) {
		t.first = (t.first + 1) % len(t.samples)
		t.count--
	}
	t.count++
	*t.at(t.count - 1) = s
	return true
}

// at returns the i-th oldest sample.
func (t *Track[T]) at(i int) *sample[T] { return &t.samples[(t.first+i)%len(t.samples)] }

// Ignored returns how many samples were late or repeated.
func (t *Track[T]) Ignored() uint64 { return t.ignored }

// At returns what to show at a time of the sender's clock, which is what the caller takes as the current time: At
// subtracts the delay. Without samples it returns zero.
func (t *Track[T]) At(now time.Duration) (T, Shown) {
	if t.count == 0 {
		return *new(T), Nothing
	}
	shown := max(now, 0) - t.config.Delay
	later := t.count // the first sample that is later than what is shown
	for later > 0 && t.at(later-1).at > shown {
		later--
	}
	switch later {
	case 0:
		return t.at(0).value, First
	case t.count:
		return t.guess(shown)
	}
	a, b := t.at(later-1), t.at(later)
	if b.cut {
		return a.value, Between
	}
	return t.config.Blend(a.value, b.value, share(shown-a.at, b.at-a.at)), Between
}

// guess returns what is shown if there is no later sample.
func (t *Track[T]) guess(shown time.Duration) (T, Shown) {
	newest := t.at(t.count - 1)
	if shown == newest.at {
		return newest.value, Between
	}
	if t.count == 1 || newest.cut {
		return newest.value, Held
	}
	kind, beyond := Guessed, shown-newest.at
	if beyond > t.config.Beyond {
		kind, beyond = Held, t.config.Beyond
	}
	before := t.at(t.count - 2)
	return t.config.Blend(before.value, newest.value, 1+share(beyond, newest.at-before.at)), kind
}

// share returns how much of a duration has passed.
func share(passed, of time.Duration) float64 { return float64(passed) / float64(of) }
