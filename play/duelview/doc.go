// Package duelview shows a duel: fighters with poses, sparks, dust, a camera, health bars. None of it is part of the
// state. The view gets the two states between which to draw, and the effects, and has no influence on the
// game.
//
//   - Make a [View]. In each picture pass it effects ([View.Hear]), let time pass ([View.Advance]),
//     and draw ([View.Draw]).
//   - [Cue] returns the sound of an effect.
//
// One unit is 1000 units of the rules: a fighter is 0.6 wide and 0.9 high. Y grows down, and the ground is at 0.
package duelview
