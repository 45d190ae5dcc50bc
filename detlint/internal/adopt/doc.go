// Package adopt finds out what a game that does not use Tickback yet is made of, and writes the code that gives it to
// Tickback: a game with memory of its own, saved in place. It looks at types and variables; what can diverge is found
// by the rules of detlint.
//
//   - What a step changes and leads to: [Survey], with [Member], [Variable] and [Refused].
//   - Functions that may be the step: [Candidates].
//   - The code: [Game.Code].
package adopt
