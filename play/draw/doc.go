// Package draw turns shapes and text into triangles, without any window or graphics processor: a backend uploads
// them, and tests paint them in memory.
//
//   - [Canvas] is what to draw on; [Canvas.Push], [Canvas.Translate], [Canvas.Scale] and
//     [Canvas.Rotate] say where, and [Color] in which colour.
//   - Shapes have smooth edges: [Canvas.Poly], [Canvas.Circle], [Canvas.Capsule],
//     [Canvas.RoundRect], [Canvas.Ring], [Canvas.Glow] and others.
//   - [Canvas.Text] draws text. Glyphs are painted into an [Atlas] when they are first needed, in
//     the size in which they are shown. A [Writer] writes what the built-in font lacks.
//   - [Paint] paints in memory.
//
// A canvas collects one list of triangles with one texture, the atlas, in premultiplied colours. Where alpha is less
// than the colour components, light is added. So a whole picture is one call of a graphics API.
//
// A canvas and its atlas are not safe for concurrent use.
package draw
