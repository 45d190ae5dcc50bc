// Package trace writes the Chrome trace event format (the JSON array form), which
// https://ui.perfetto.dev and chrome://tracing show as lanes along time.
//
//	w := trace.NewWriter(file)
//	defer w.Close()
//	p := w.Process("match")
//	frames := p.Track("frames")
//	frames.Slice(begin, duration, "tick", trace.Int("frame", 42))
//
// By task:
//
//   - Trace a match: give a [Writer] to tickback.Options.Trace, and close it when the
//     match is closed. Several matches may share one.
//   - Add what the game does (drawing, physics, loading): make your own [Process] or
//     [Track] in the same writer, with times from the same clock.
//   - Look at it: open the file in https://ui.perfetto.dev, which keeps it on your
//     machine.
//
// # What it costs
//
// An event has a few hundred bytes and takes a few hundred nanoseconds; nothing is allocated in the steady state.
// Events are collected in memory, at most 2 MiB, and written by a goroutine, so a slow disk does not delay the program.
// If the disk is so slow that the memory fills up, events are dropped, and the trace says how many. If writing fails,
// the trace ends there, and [Writer.Err] says why; everything else goes on.
//
// # The file
//
// Each event is a line. Events older than a second are written to the io.Writer, in whole lines, as soon as there is
// another event. So the file of a program that was killed lacks the last second and the closing bracket, which viewers
// do not need; add it for strict parsers.
//
// # Limits
//
// Slices of a track must not overlap unless one contains the other; the outer one must come first. Times of a track
// should not decrease; one that does is replaced by the time before it.
package trace
