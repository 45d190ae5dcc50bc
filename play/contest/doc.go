// Package contest is what is played around a duel: rounds with a countdown and an end,
// best of three, a rematch. It is a layer above the rules: a round is a match of
// [duel] whose recorded inputs lead to the same checksums anywhere.
//
//   - The game of a round, which ends with a knock-out: [Round].
//   - Who has won what: [Score].
package contest
