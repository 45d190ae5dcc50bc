// Package arenaview shows the arena: fighters with names and colours, shots with trails,
// shields, pickups, and marks at the edge for fighters that are out of sight. Like the view of
// the duel it is not part of the state, and decides nothing.
//
// One unit is one unit of the rules; Y grows down, and the origin is in the middle.
package arenaview
