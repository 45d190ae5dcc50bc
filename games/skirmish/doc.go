// Package skirmish is a real-time strategy game for two to eight players with thousands of units, at
// 30 ticks a second. Its state is a [world]: it is played in lockstep and in rollback, joined late,
// recorded and compared like every other game here, although it has a megabyte.
//
//   - [New] is the game for the engine, and [Begin] makes the first state of a match from its [Setup].
//     [World] is the state: tables of units, shots and buildings, and grids of the ground.
//   - [Order] is what a player orders. An input is empty: all that players do is in the orders of
//     a tick, at most [MaxOrders] of [OrderSize] bytes.
//   - [Bot] plays a side by the same orders.
//   - [Finished] and the other effects are for sounds and messages.
//
// # The match
//
// Each side begins with a keep, some gold, and the first units. A keep brings gold every second, and
// so does a mine: it belongs to the last side that had units near it while no other had. Keeps and
// barracks train units for gold. A side without a keep has lost everything; the last side that is left
// wins. A player that is gone is not beaten: its units stay, defend themselves, and obey again when it
// comes back. If the setup says so, a bot commands them meanwhile.
//
// # Units
//
// Spearmen and knights strike what they touch, an archer shoots at one target, and the stone of a
// catapult hits everybody around the place at which it was aimed. A unit that does nothing attacks
// what comes into its sight, and so does one that marches; one that moves does not. Units push each
// other apart, and go around each other, but never onto rock, water or a building. In a wood they are
// half as fast.
//
// # Orders
//
// A group is a bit of a unit, so that an order for a thousand units is as long as one for a single
// unit: a player first selects a rectangle, and then orders the group. All units of an order follow
// one way (package nav): the game asks for it once, and it is answered within a tick or a few, by a
// meter that is part of the state.
//
// # Order of a tick
//
// Orders, by player; gold, building and training, by building; ways; units, side by side, by what the
// tick has found; the shots and blows that came of it, in the order of the units; shots that come
// down; the end. The work of units runs on all processors, with the same result as on one.
package skirmish
