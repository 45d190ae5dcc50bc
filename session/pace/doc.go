// Package pace is when the frames of a match are due at one machine.
//
// A [Schedule] says when tick periods begin, and remembers when frames were due. The [Lag] of
// each peer compares that with the arrival of its inputs, and a [Balance] of all of them says
// how long the next period is, so that no machine runs ahead of the others for long. [Stalls]
// counts the periods whose frame had to wait.
//
// Times are those of the session. Nothing here knows a link or an engine.
package pace
