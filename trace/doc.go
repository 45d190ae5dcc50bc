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
// An event is some hundred bytes and takes some hundred nanoseconds; nothing is allocated
// in the steady state. Events are collected in memory, at most 2 MiB, and written by a
// goroutine, so a slow disk does not hold up the program. If it is so slow that the
// memory is full, events are dropped, and the trace says how many. If writing fails, the
// trace ends there, and [Writer.Err] says why; everything else goes on.
//
// # The file
//
// Each event is a line. What is older than a second is handed to the io.Writer as soon as
// there is another event, in whole lines. So a file of a program that was killed lacks a
// second and the closing bracket, which viewers do not need; add it for strict parsers.
//
// # Limits
//
// Slices of a track must not overlap unless one contains the other, which comes first
// then. Times of a track should not go back; one that does is taken for the last one.
package trace
