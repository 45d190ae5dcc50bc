// Package theatre opens recordings, of the client or from anywhere, and finds out what
// is in them. It draws nothing, and never works for longer than it is let.
//
//   - Open a file of either format: [Open], and the work of it in slices: [Opening].
//   - Is it what happened: [File.Verify].
//   - What to mark on its line of time: [File.Scan].
//   - Who held what: [Inputs].
//   - Go to a frame while pictures go on: [Seeker].
package theatre
