// Package live is what a match that is played and one that is watched have in common: the loop
// that runs it, and the log that tells what happens in it.
package live
