// Package controls turns keys, gamepads and fingers into what players hold, without
// knowing of any window: a backend fills in a [Devices] for each picture.
//
//   - What a player can do: [Action]; with what: [Binding].
//   - The bindings of all players: [Map]; the usual ones: [Default].
//   - What is held: [Map.Held].
//   - Buttons on a touch screen: [TouchPad].
package controls
