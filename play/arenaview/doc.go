// Package arenaview shows the arena: fighters with names and colours, shots with trails, shields, pickups, and marks
// at the edge for fighters outside of the picture. Like the view of the duel it is not part of the state, and has no
// influence on the game.
//
// One unit is one unit of the rules; Y grows down, and the origin is in the middle.
package arenaview
