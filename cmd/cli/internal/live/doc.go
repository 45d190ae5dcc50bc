// Package live has what playing and watching a match have in common: the loop that runs it, and the log of its events.
package live
