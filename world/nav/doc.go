// Package nav finds ways for many units over a map of cells, in integers, and the same on every
// machine: flow fields along the corridors of routes.
//
//   - show it the map in each step: [New] once, then [Navigator.Look], with [Costs] of your own or a
//     [Grid]
//   - give an order: [Navigator.Ask] fills in a [Way] of the game's state, for any number of units
//   - have orders answered at the pace that a [Meter] of the state allows: [Navigator.Advance]
//   - move units: [Navigator.Field] once for each way and step, then [Field.At] for each unit;
//     [Direction.From] and [Direction.Vec] say where that leads, and [CellOf] where a unit is
//   - fetch those that have strayed: [Navigator.ReportOffField]; and free those on whom something was built:
//     [Navigator.Nearest]
//
// # A step
//
//  1. Call Look with the map. If it is the one that was seen last, that costs nothing.
//  2. Apply the orders: Ask for each. Where the map changes, call Look again before going on.
//  3. Call Advance with the meter and all ways of the state.
//  4. Get the field of each open way. Fields may be read by any number of goroutines, until the next
//     Look.
//  5. For each unit: At its cell, follow the direction. [Here] is the goal. If it is [Lost], call
//     ReportOffField, and let it wait; after a few ticks a field leads from there. If its cell cannot be
//     entered, take it to Nearest first.
//
// # State, and what is derived from it
//
// [Way], [Meter] and the map are plain data: they are saved, restored, hashed and sent with the state of the game.
// Everything else is derived from them. A [Navigator] is not state. It is not changed by a rollback, and a peer that
// joins late begins with a new one.
//
// Everything that the state depends on is a function of the state: the answer to a way, the tick in which it comes, and
// each direction of a field. Whether a navigator has something cached, or computes it again, affects only the time. Its
// cache is keyed by the contents of the map, not by ticks, so that a resimulation after a rollback finds everything
// there.
//
// This is why the state contains the route of a way, as a set of sectors: the field is a function of the current
// content of these sectors, and of the ends. A building elsewhere does not change the field; a building on the way
// bends it at once.
//
// # Costs and steps
//
// A step costs its weight ([Straight] 5 or [Diagonal] 7) times the cost of the cell that it enters,
// 1 to 254. Use 1 for plain ground: the search for routes is fastest then. 0 and 255 are impassable.
// A diagonal step needs both cells beside it to be passable, so that nothing cuts a corner. The sides
// of a map are multiples of 16, and it has up to 262,144 cells: 512 × 512.
//
// # Ties
//
// A field has the exact distance of each cell to the nearest end, within its corridor. Distances are unique, and if
// several neighbours lie on a shortest way, the field has the first in the order of [Direction]. So the order in which
// a queue returns equal distances does not matter. Routes are found by A* over the crossings between sectors of 16 × 16
// cells; its queue is ordered by estimate, then by the number of the crossing, and no two entries are equal. Cells are
// ordered row by row.
//
// # Goals
//
// A way has up to eight goals, and leads from each cell to the nearest. If none can be reached from a start, it leads
// to the cell that is nearest to a goal among those that can be: the least distance between centres, and then the first
// row by row. Ends are chosen when a way is answered. If one is built over later, the field leads to the others; if
// none is left, all units are lost, and [Navigator.ReportOffField] makes the ends be chosen again.
//
// # The meter
//
// A request waits until the meter has saved up its cost: the cells of the sectors that a field has to cover for it and
// did not cover before, plus one for each crossing that the search has looked at. Requests are answered in the order of
// their tickets, and an expensive one delays those after it. That bounds the average work of a tick; a single field is
// computed at once, which takes about 20 ns a cell. Repairs after changes of the map are not metered: they happen in
// the step that first asks for the field.
//
// # Corridors
//
// The field of a way covers the sectors on its route and two more on each side, 4 to 6 KiB for each sector of the
// route. The shortest way within it was at most 1.02 times the shortest of all in 10,000 ways over maps of 256 × 256. A
// unit that leaves it is lost until the way is answered again for that unit; the corridor only grows. With starts in
// more than eight zones, or without starts, a way is answered for the whole map, and then units get lost only because
// of new buildings.
//
// # Limits
//
// Costs are the same for all units; give units that move differently a navigator and a map of their own. Fields avoid
// cells, not units: see package near for that. A way serves up to eight islands that cannot reach each other; units on
// a ninth stay lost. A field of a whole map of 512 × 512 takes 1 MiB and several milliseconds.
package nav
