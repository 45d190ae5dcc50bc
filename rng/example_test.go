package rng_test

import (
	"fmt"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rng"
)

// The generator is part of the state, so that a copy of the state draws the
// same numbers.
func Example() {
	type state struct {
		Frame uint32
		Rng   rng.Xorshift128Plus
	}
	now := state{Rng: rng.New(2026)}
	saved := now

	first := rng.Must(now.Rng.Range(1, 7))
	now = saved // roll back
	again := rng.Must(now.Rng.Range(1, 7))

	fmt.Println(first == again)
	// Output: true
}

func ExampleXorshift128Plus_Fixed() {
	r := rng.New(1)
	speed := rng.Must(r.Fixed(fixed.One, 2*fixed.One))
	fmt.Println(speed >= fixed.One && speed < 2*fixed.One)
	// Output: true
}

func ExampleXorshift128Plus_Shuffle() {
	r := rng.New(3)
	deck := []string{"rock", "paper", "scissors"}
	err := r.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
	fmt.Println(deck, err)
	// Output: [paper rock scissors] <nil>
}

func ExampleXorshift32_Bounded_error() {
	r, err := rng.NewXorshift32(0)
	fmt.Println(err)
	r = rng.Must(rng.NewXorshift32(1))
	_, err = r.Bounded(0)
	fmt.Println(err)
	// Output:
	// rng: seed 0 gives a generator that draws only zeros; use any other seed
	// rng: empty range: [0, 0)
}
