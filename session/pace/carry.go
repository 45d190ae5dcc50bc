package pace

import (
	"time"

	"github.com/tickback/tickback/wire/rate"
)

// Carry adds up what the tick periods of a rate that is no integer leave out, since they have whole nanoseconds. So any
// number of frames takes as long as the rate says, to the nanosecond. The zero value is for a rate that is an integer,
// and adds nothing: its period has always been the whole nanoseconds of a second divided by it.
type Carry struct{ rest, of, sum uint64 }

// CarryOf returns what is carried at this rate, before the first period.
func CarryOf(exact rate.Rate) Carry {
	if !exact.Given() {
		return Carry{}
	}
	_, rest, of := exact.Period()
	return Carry{rest: rest, of: of}
}

// Next returns by how much the next period is longer than the others: by a nanosecond, or by nothing.
func (c *Carry) Next() time.Duration {
	if c.sum += c.rest; c.of == 0 || c.sum < c.of {
		return 0
	}
	c.sum -= c.of
	return 1
}
