// Package duelview shows a duel: fighters with poses, sparks, dust, a camera, health
// bars. All of it is beside the state: it is told which states to draw between and
// which effects there were, and decides nothing.
//
//   - Make a [View]; in each picture tell it of effects ([View.Hear]), let time pass
//     ([View.Advance]), and draw ([View.Draw]).
//   - How an effect sounds: [Cue].
//
// One unit is 1000 units of the rules: a fighter is 0.6 wide and 0.9 high. Y grows
// down, and the ground is at 0.
package duelview
