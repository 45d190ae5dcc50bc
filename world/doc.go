// Package world keeps large states: thousands of entities, maps, whatever an army needs. The cost of a snapshot depends
// on what has changed since the last one, and so do the cost of its hash and of going back to it. All of it is
// deterministic: a step has the same result on every machine, with any number of goroutines. docs/world.md is an
// introduction.
//
// # Define a world
//
//   - A world is a struct. Its fields are tables of entities, structs that embed [Table] and have
//     [Column] and [Optional] fields; and [One], [Grid], [Map] and [Set].
//   - Make a game of it: [Game], and [Game.Definition] for whatever runs games.
//
// # Step
//
//   - Entities come and go: [Table.Spawn], [Table.Kill]. An [Entity] is a plain value.
//   - Go through a table: [Table.Chunks], [Chunk.Live], [Column.Read], [Column.Write].
//   - One entity: [Column.Get], [Column.Set], [Optional.Put], [Optional.Drop].
//   - On several processors: [Stage], with [Later], [Sum] and [Scratch].
//
// # Snapshots
//
//   - Take one and go back: [Save], [Restore], [Snapshot.Release].
//   - Read or draw one, from any goroutine: [ViewOf].
//   - Hash, encode, decode: [Snapshot.Hash], [Snapshot.Append], [Decode], [Load]; what has changed:
//     [Snapshot.AppendDelta], [ApplyDelta].
//   - Find out what differs: [Diff].
//
// # Test
//
//   - Without an engine: [New], [Update].
//   - Misuse that costs time to find is found in builds with the tag worldcheck: pages that are
//     used when they are not valid any more, writes to rows in which nothing lives, chunks that are
//     handed to another goroutine.
//
// # Limitations
//
//   - At most [MaxTables] tables, [MaxRows] rows of one, [MaxSide] cells of a side of a grid and
//     [MaxKeys] keys of a map.
//   - Components are plain: no pointers, slices, maps, strings or floats.
//   - A world is for one goroutine, but for stages and snapshots.
package world
