package soak

import (
	"fmt"
	"slices"
	"time"
)

// Census has statistics about the number of units in the states of a match, counted on each machine about once a
// second. The tags are the keys of --json.
type Census struct {
	Least  int `json:"least"`
	Median int `json:"median"`
	Most   int `json:"most"`
}

// census counts the units in the states of a match. A nil census counts none, and that of a game without units stays
// empty.
type census struct {
	counts []int
	tell   func(line string) // if given, called with the progress once a minute of virtual time
	told   time.Duration
}

// count adds the number of units in one state.
func (c *census) count(units int) { c.counts = append(c.counts, units) }

// passed is called once a second of virtual time.
func (c *census) passed(now, length time.Duration) {
	if c == nil || c.tell == nil || now < c.told+time.Minute {
		return
	}
	c.told = now.Truncate(time.Minute)
	line := fmt.Sprintf("after %v of a match of %v and its pauses", c.told, length)
	if s := c.result(); s != nil {
		line += fmt.Sprintf("; units: %d to %d, median %d", s.Least, s.Most, s.Median)
	}
	c.tell(line)
}

// result returns the statistics, or nil if nothing was counted.
func (c *census) result() *Census {
	if c == nil || len(c.counts) == 0 {
		return nil
	}
	sorted := slices.Sorted(slices.Values(c.counts))
	return &Census{Least: sorted[0], Median: sorted[len(sorted)/2], Most: sorted[len(sorted)-1]}
}

// join combines the census with the statistics of another match; the median becomes that of the match with more units.
func (c *Census) join(o *Census) *Census {
	switch {
	case o == nil:
		return c
	case c == nil:
		return new(*o)
	}
	return &Census{Least: min(c.Least, o.Least), Median: max(c.Median, o.Median), Most: max(c.Most, o.Most)}
}

// String returns the text for the table.
func (c *Census) String() string {
	if c == nil {
		return "-"
	}
	return fmt.Sprintf("%d / %d / %d", c.Least, c.Median, c.Most)
}
