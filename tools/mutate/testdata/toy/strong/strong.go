// Package strong is tested well.
package strong

import "errors"

// ErrNegative is what Sum does not take.
var ErrNegative = errors.New("negative")

// Sum adds what is up to a limit.
func Sum(values []int, limit int) (int, error) {
	sum := 0
	for _, v := range values {
		if v < 0 {
			return 0, ErrNegative
		}
		if v <= limit {
			sum += v
		}
	}
	return sum, nil
}

// Steps counts how often n can be halved.
func Steps(n int) int {
	count := 0
	for n > 1 {
		n /= 2
		count++
	}
	return count
}

// A Counter counts.
type Counter struct{ n int }

// Add does.
func (c *Counter) Add() { c.n++ }

// N returns how many.
func (c *Counter) N() int { return c.n }
