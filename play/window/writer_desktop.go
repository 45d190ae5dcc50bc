//go:build desktop && !js

package window

import (
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/shaping"
)

// writer returns what writes the text that the built-in font lacks: the fonts of the system.
func writer() draw.Writer { return shaping.System() }
