package duel

import (
	"fmt"
	"strings"

	"github.com/tickback/tickback/rng"
)

// Script returns both players' inputs of a frame. It is called once for each frame, in order,
// from frame 0.
type Script func(frame uint32) [2]Input

// ScriptNames lists the scripts that [Scripted] knows.
func ScriptNames() []string { return []string{"random", "golden", "documented"} }

// Scripted returns a new run of the named script:
//
//   - golden, documented: two fixed scripts. Their checksums after 1000 frames
//     from seed 1 are known answers for every implementation of the rules.
//   - random: held buttons. In every frame, player 1 and then player 2 takes four new random
//     buttons with probability 1/6, drawn from xorshift32 of the seed (0 is
//     [rng.ErrZeroSeed]).
func Scripted(name string, seed uint32) (Script, error) {
	switch name {
	case "golden":
		return golden, nil
	case "documented":
		return documented, nil
	case "random":
		return random(seed)
	}
	return nil, fmt.Errorf("duel: no script %q; there are %s", name, strings.Join(ScriptNames(), ", "))
}

func golden(f uint32) [2]Input {
	return [2]Input{golden1(f), golden2(f)}
}

func golden1(f uint32) Input {
	switch {
	case f < 200:
		return Right
	case f < 220:
		return Jump
	case f < 400:
		return Right
	case f < 450:
		return attackEvery(15, f)
	case f/20%2 == 0:
		return Left
	default:
		return Right
	}
}

func golden2(f uint32) Input {
	switch {
	case f < 300:
		return Left
	case f < 400:
		return Jump
	case f < 500:
		return attackEvery(17, f)
	default:
		return 0
	}
}

func documented(f uint32) [2]Input {
	return [2]Input{documented1(f), documented2(f)}
}

func documented1(f uint32) Input {
	switch {
	case f == 50:
		return Jump
	case f < 150:
		return Right
	case f < 200:
		return attackEvery(20, f)
	default:
		return Left
	}
}

func documented2(f uint32) Input {
	switch {
	case f < 100:
		return Left
	case f < 120:
		return Jump
	default:
		return 0
	}
}

// attackEvery presses attack in the frames that n divides.
func attackEvery(n, f uint32) Input {
	if f%n == 0 {
		return Attack
	}
	return 0
}

// random returns a script in which both players hold random buttons.
func random(seed uint32) (Script, error) {
	const oneIn = 6
	generator, err := rng.NewXorshift32(seed)
	if err != nil {
		return nil, fmt.Errorf("duel: random script: %w", err)
	}
	var held [2]Input
	return func(uint32) [2]Input {
		for p := range held {
			if rng.Must(generator.Bounded(oneIn)) == 0 {
				held[p] = Input(rng.Must(generator.Bounded(uint32(Buttons) + 1)))
			}
		}
		return held
	}, nil
}
