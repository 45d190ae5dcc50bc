// Package pace decides when the frames of a match are due on one machine.
//
// A [Schedule] says when tick periods begin, and remembers when frames were due. The [Lag] of each peer compares
// that with the arrival of its inputs. A [Balance] of all lags gives the length of the next period, so that no
// machine runs ahead of the others for long. [Stalls] counts the periods whose frame had to wait, and a [Reminder]
// says when to report it. [Delay] makes the input delay follow the path. A [Lead] is for a match that a server
// owns: it gives the length of a client's next period.
//
// All times are session times. Nothing here depends on a link or an engine.
package pace
