// Package draw turns shapes and text into triangles, without knowing of any window
// or graphics processor: a backend uploads them, and tests paint them in memory.
//
//   - What to draw on: [Canvas]; where: [Canvas.Push], [Canvas.Translate],
//     [Canvas.Scale], [Canvas.Rotate]; how: [Color].
//   - Shapes, with smooth edges: [Canvas.Poly], [Canvas.Circle], [Canvas.Capsule],
//     [Canvas.RoundRect], [Canvas.Ring], [Canvas.Glow] and others.
//   - Text: [Canvas.Text]. Glyphs are painted when they are first needed, in the size
//     in which they are shown, into an [Atlas].
//   - Paint in memory: [Paint].
//
// Everything that a canvas collects is one list of triangles with one texture, the
// atlas, in premultiplied colours; where alpha is less than the colour says, light is
// added. So a whole picture is one call of a graphics interface.
//
// A canvas and its atlas are for one goroutine.
package draw
