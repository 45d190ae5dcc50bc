// Package arenaview shows an arena: fighters with names and colours, shots with
// trails, shields, pickups, marks at the edge for who is out of sight. Like the view
// of the duel it is beside the state, and decides nothing.
//
// One unit is one unit of the rules; Y grows down, and the origin is in the middle.
package arenaview
