// Package near finds neighbours: what is within a distance, what is nearest, and which pairs are
// close, among thousands of points that move. It is a spatial hash that is built anew in each tick
// by a counting sort, in integers throughout.
//
//   - describe the area once: [New] with a [Config]
//   - fill the grid in each tick, once all have moved: [Grid.Build] with a list of positions, or
//     [Grid.Clear], [Grid.Add] for each with an id of your own, and [Grid.Sort]
//   - fill it on several goroutines, in stages of a world, say: [Grid.Divide], [Part.AddMarked], and
//     [Grid.Bands] and [Grid.SortBand] in place of Sort
//   - look for all within a radius: [Grid.Within]
//   - look for the nearest, or the k nearest, of those that you accept: [Grid.Nearest],
//     [Grid.AppendNearest]
//   - look for the nearest of a class, such as the units of other sides, however many of the own are
//     nearer: [Grid.AddMarked] and [Grid.NearestOf]
//   - go through lists that have all within a radius, and decide by yourself: [Grid.AppendLists]
//   - visit each pair within a radius once: [Grid.Pairs]
//
// # The same everywhere
//
// Positions are [fixed.Vec2], and squares of distances are exact, so rounding never decides which point is nearer.
// Every answer has a total order: by id for all points within a radius, and by distance and then id for the nearest
// points. It depends only on the points, not on the order in which they were added; the order of pairs and of lists
// also depends on the size of the cells.
//
// A grid is derived from the state, and belongs outside of it: fill it in each tick, and rollbacks need no special
// treatment.
//
// # Workers
//
// Once a grid is sorted, only Sort or Bands changes what it finds. Until then any number of goroutines may search it at
// the same time, each appending to its own list, and add points at the same time, each to its own part. Neither is
// allowed during Sort. Different bands may be sorted at the same time, each by one goroutine.
//
// # The edge
//
// An area begins at the origin. With [Config.Torus] its sides are joined, and positions count modulo its size.
// Otherwise it has no edge: points outside of it are kept in the cells at its border, and are found like all others,
// but searches look at more of them. Coordinates are limited to [MaxSide] in all directions; points further away count
// as being there.
//
// # Costs
//
// With 10,000 units in squads on 256 × 256, building takes 0.08 ms, a search that finds 16 units 0.3 us, and visiting
// all 77,000 pairs within a distance of 4 takes 1 ms, on a 2.6 GHz server; docs/benchmarks.md has the figures. A good
// size of the cells is the radius that is searched most. Nothing is allocated unless there are more points than ever
// before, or lists have to grow.
package near
