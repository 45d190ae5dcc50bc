package main

import "strings"

// picture is a rectangle of characters. Anything drawn outside of it is not shown.
type picture [][]rune

func newPicture(width, height int) picture {
	p := make(picture, height)
	for y := range p {
		p[y] = []rune(strings.Repeat(" ", width))
	}
	return p
}

func (p picture) put(x, y int, r rune) {
	if y >= 0 && y < len(p) && x >= 0 && x < len(p[y]) {
		p[y][x] = r
	}
}

// framed returns the lines, with a frame around them.
func (p picture) framed() []string {
	edge := "+" + strings.Repeat("-", len(p[0])) + "+"
	lines := []string{edge}
	for _, row := range p {
		lines = append(lines, "|"+string(row)+"|")
	}
	return append(lines, edge)
}
