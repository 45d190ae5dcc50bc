// Package rng has the random generators that live inside a game's state.
//
// A generator here is a small plain value: copying the state copies the
// generator, so a snapshot, a rollback and a replay all continue with the very
// same draws. The same seed gives the same numbers on every architecture.
//
// # Which one
//
//   - [New]: the one to use. xorshift128+ whose seed goes through splitmix64, so
//     that neighbouring seeds give unrelated sequences from the first draw on.
//   - [NewXorshift128Plus]: the same generator with the plain seeding that other
//     programs use; its first output is close to the seed.
//   - [NewXorshift32]: 4 bytes of state and 32-bit draws, for games that count
//     bytes or must match a program that uses it.
//
// # Drawing
//
//   - a whole word: [Xorshift32.Next], [Xorshift128Plus.Next]
//   - below a bound: Bounded; between two ends: Range
//   - a fixed-point number: Fixed
//   - a random order: Shuffle
//
// A draw that cannot be made (a bound of zero, an empty range) is an error and
// leaves the generator as it was. Bounds that are constants cannot fail; wrap
// them in [Must]:
//
//	damage := rng.Must(state.Rng.Range(5, 9))
//
// # Limits
//
// These generators are fast and small, not secret: from a few outputs the rest can be
// computed. A draw reduced to n values is off from uniform by at most n in 2^32
// ([Xorshift32]) or n in 2^64 ([Xorshift128Plus]), and each draw costs a fixed number of
// steps, never a loop.
package rng
