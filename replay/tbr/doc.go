// Package tbr reads and writes Tickback recordings, files that end in .tbr: the
// agreed frames of a match with what is needed to replay, verify and search them.
// docs/reference/recording-format.md describes every byte.
//
// The package deals in bytes: it knows no game and no type of state.
//
//   - write while a match runs: [NewWriter], [Writer.Frame], [Writer.Hash],
//     [Writer.Keyframe], [Writer.Close]
//   - open, without reading all of it: [Open], [Reader.Header], [Reader.End]
//   - the frames from any one on: [Reader.Frames], [Cursor.Next], [Cursor.Run]
//   - a state to start from: [Reader.Keyframe], [Reader.Keyframes]
//   - the hashes to compare with: [Reader.Hashes]
//   - whatever else is in it: [Reader.Chunks]
//   - is every byte as it was written: [Reader.Check]
//
// A file may be cut off, damaged or malicious. Reading never panics, never allocates according to an unchecked length,
// and reports every rejection as an [*Error] whose reason can be tested with [errors.Is]. A file that was cut off, for
// example by a crash, can be read up to its last complete block; [Reader.Damage] says so.
//
// Nothing here reads a clock or starts a goroutine. A [Writer] and a [Cursor] are for one goroutine each; a [Reader]
// may be shared.
package tbr
