package main

import (
	"fmt"
	"math"

	"github.com/tickback/tickback/examples/physics/rules"
)

// The terminal shows a line with the points, and below it a letter for each patch of the field.
const columns, lines = 78, 22

// view draws a state as lines of text.
func view(s *rules.State, players int) []string {
	var field [lines][columns]byte
	for y := range field {
		for x := range field[y] {
			field[y][x] = ' '
		}
	}
	put := func(x, y, halfWidth, halfHeight float64, letter byte) {
		for j := row(y - halfHeight); j <= row(y+halfHeight); j++ {
			for i := column(x - halfWidth); i <= column(x+halfWidth); i++ {
				if 0 <= j && j < lines && 0 <= i && i < columns {
					field[j][i] = letter
				}
			}
		}
	}
	put(rules.Width/2, rules.Top, rules.Width/2-rules.Edge, 0, '=')
	lift := s.Lift.Position()
	put(lift.X+rules.LiftWidth/2, lift.Y, rules.LiftWidth/2, 0, '-')
	for _, t := range s.Things {
		letter := byte('o')
		switch {
		case t.Player >= 0:
			letter = '1' + byte(t.Player)
		case t.Crate:
			letter = '#'
		}
		at := t.Body.Position()
		put(at.X, at.Y, t.Radius-6, t.Radius-9, letter)
	}
	text := []string{fmt.Sprint("points ", s.Points[:players])}
	for y := range field {
		text = append(text, string(field[y][:]))
	}
	return text
}

// column and row return the position on the terminal of a place in the field.
func column(x float64) int { return int(math.Floor(x * columns / rules.Width)) }
func row(y float64) int    { return int(math.Floor(y * lines / rules.Height)) }

// keys converts the keys that are held to an input.
func keys(held func(key string) bool) rules.Input {
	return rules.Input{
		Left: held("a") || held("left"), Right: held("d") || held("right"),
		Jump: held("w") || held("up") || held("space"), Dash: held("s") || held("down"),
	}
}
