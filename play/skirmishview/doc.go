// Package skirmishview draws a match of skirmish: the map, thousands of units, buildings, shots, and a minimap. It
// draws from two snapshots of the world and never from the world itself, and changes neither.
//
//   - [New] makes a [View] of a match; [View.Mark] and [View.Advance] take its states, and [View.Draw]
//     draws between them.
//   - [Camera] says which part of the map is shown, and where.
//   - [View.UnitAt], [View.BuildingAt] and [View.Tally] answer queries of a player's hand and the panels.
//   - [Cue] returns the sounds of effects.
//
// Lengths on the map are cells.
package skirmishview
