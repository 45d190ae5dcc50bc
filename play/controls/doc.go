// Package controls turns keys, gamepads and fingers into actions of players, without any window: a backend fills in a
// [Devices] for each picture.
//
//   - [Action] is an action of a player, and [Binding] the keys for it.
//   - [Map] has the bindings of all players; [Default] returns the default ones.
//   - [Map.Held] returns what is held.
//   - [TouchPad] is a set of buttons on a touch screen.
package controls
