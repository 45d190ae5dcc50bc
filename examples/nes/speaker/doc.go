// Package speaker plays the sound of a machine that keeps its own time, such as an emulator in a match. It knows nothing of
// consoles, and of a machine only its samples.
//
//   - [Queue] keeps samples from when a frame makes them to when a device plays them. A match is never as fast as the device:
//     it keeps pace with others, stops and catches up. So the queue plays a little faster or slower, and fades where there is a
//     gap.
//   - In a page, Page plays a queue; in a window (the tag "desktop"), Device does.
//
// Give it only frames that are simulated for the first time and belong to the match: where rollback.Tick's Resimulating and
// Ahead are false.
package speaker
