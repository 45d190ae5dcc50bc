// Package contest adds what surrounds a duel: rounds with a countdown and an end, played as best of three. It is a
// layer above the rules: a round is a match of [duel], whose recorded inputs lead to the same checksums everywhere.
//
//   - [Round] is the game of a round, which ends with a knock-out.
//   - [Score] is the score of a match.
package contest
