// Package controls turns keys, gamepads and fingers into actions of players, without any window: a
// backend fills in a [Devices] for each picture.
//
//   - [Action] is something that a player can do, and [Binding] the keys for it.
//   - [Map] is the bindings of all players; [Default] returns the default ones.
//   - [Map.Held] returns what is held.
//   - [TouchPad] is buttons on a touch screen.
package controls
