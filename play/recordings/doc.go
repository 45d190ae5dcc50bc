// Package recordings keeps the matches that were just played, in memory.
//
//   - Where they are kept: [Store]. What is recorded: [Info].
//   - Record a match: [Store.Begin], whose [Tape] is for tickback.Options.Record, with
//     [Info.Options] for its Recording.
//   - What there is: [Store.List].
package recordings
