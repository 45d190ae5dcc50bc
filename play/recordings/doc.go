// Package recordings keeps the most recent matches in memory.
//
//   - [Store] keeps them; [Info] describes a match.
//   - [Store.Begin] records a match to a [Tape], which is for tickback.Options.Record, with
//     [Info.Options] for its Recording.
//   - [Store.List] lists them.
//   - [Simulate] makes a recording of a match between bots, for samples and tests.
package recordings
