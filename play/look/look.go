// Package look has what the screens of all games share: palettes, particles, easing, and reduced motion.
package look

import (
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/words"
)

// Palette is a set of distinguishable colours.
type Palette struct {
	Name    string
	Players [8]draw.Color
}

// Palettes has all palettes. The second is that of Okabe and Ito, whose colours can be distinguished with any kind of
// colour blindness; those of the third also differ in brightness.
var Palettes = []Palette{
	{words.K("vivid"), colors(0x35C5F0, 0xFF5D5D, 0x7BE04E, 0xFFC93C, 0xC77DFF, 0xFF8FC7, 0x3CE0B0, 0xFF9447)},
	{words.K("colour-blind safe"), colors(0x56B4E9, 0xE69F00, 0x009E73, 0xF0E442, 0xCC79A7, 0xD55E00, 0x2F86D6, 0xF2F2F2)},
	{words.K("high contrast"), colors(0x00E5FF, 0xFFD000, 0xFFFFFF, 0xFF4D00, 0x9C6BFF, 0x00C853, 0xFF7EB6, 0x8D99AE)},
}

func colors(hex ...uint32) (c [8]draw.Color) {
	for i, h := range hex {
		c[i] = draw.RGB(h)
	}
	return c
}

// Names returns the names of the palettes.
func Names() (names []string) {
	for _, p := range Palettes {
		names = append(names, p.Name)
	}
	return names
}

// Look is how a game is shown.
type Look struct {
	Palette *Palette
	// Still turns off shakes, flashes and slow motion.
	Still bool
	// Names are the players' names.
	Names [8]string
}

// New returns a look with the palette at this index.
func New(palette int, still bool) Look {
	return Look{Palette: &Palettes[palette%len(Palettes)], Still: still}
}

// Player returns a player's colour.
func (l *Look) Player(p int) draw.Color { return l.Palette.Players[p%8] }

// The colours that are the same in all palettes.
var (
	Ink   = draw.RGB(0x0E1020)
	Night = draw.RGB(0x171A33)
	Paper = draw.RGB(0xF4F1EA)
	Dim   = draw.RGB(0x9AA0C0)
	Gold  = draw.RGB(0xFFC857)
	Red   = draw.RGB(0xFF4D5E)
	Green = draw.RGB(0x5BE49B)
)
