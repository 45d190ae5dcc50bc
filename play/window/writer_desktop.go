//go:build desktop && !js

package window

import (
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/shaping"
)

// writer returns the writer for text that the built-in font lacks: with the fonts of the system.
func writer() draw.Writer { return shaping.System() }
