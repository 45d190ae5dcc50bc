// Package theatre opens recordings, made by the client or from anywhere, and determines what is in them. It draws
// nothing, and never works for longer than it is allowed to.
//
//   - [Open] opens a file of either format; [Opening] is that work in slices.
//   - [File.Verify] checks whether the recording is what happened.
//   - [File.Scan] finds events to mark on its time bar.
//   - [Inputs] says which player held what.
//   - [Seeker] goes to a frame while pictures are drawn.
package theatre
