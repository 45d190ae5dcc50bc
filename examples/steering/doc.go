// Package steering is a game of floats whose state is plain: two to four dogs drive a flock of sheep into the
// folds in the corners, each into its own. The mathematics is that of the unchanged module
// github.com/go-gl/mathgl.
//
// Its vectors are arrays of floats, so the state has no pointers, and [Game] needs nothing but a step.
// [rollback.Strict] requires floats that are the same on every machine, so the game can only be played in
// programs of "tickback build --strict". See examples/physics for an engine that owns its memory.
package steering
