// Package coder codes the inputs of a match close to their entropy.
//
// Players hold their input for many frames. So for each player of a block, the coder alternates between a gap, which is
// the number of frames for which the input stays the same, and a change, which is the exclusive or of the next input
// and the one before. Each four bits of a change are a symbol. Masks of four bits say which of four nibbles change,
// masks of masks say which of these change, and so on up to a single mask, so that a change costs little however large
// inputs are.
//
// Symbols are coded with an asymmetric numeral system (rANS, Jarek Duda, "Asymmetric numeral systems", arXiv:1311.2540)
// with adaptive probabilities, which all players share. Their tables are recomputed at growing intervals rather than
// after each symbol, so that decoding looks up most symbols in one step.
//
//   - [Encoder]: the inputs of a block to bytes
//   - [Decoder]: back
//
// Blocks of a segment are coded, and decoded, in order: each learns from those
// before it. Decoding never panics and allocates nothing after Init.
package coder

import "errors"

// ErrData means that a block is not one that an encoder can have written.
var ErrData = errors.New("coder: the block is damaged")

// Limits of the [Encoder] and the [Decoder].
const (
	MaxPlayers   = 16
	MaxInputSize = 64     // the size in bytes of a player's input
	MaxFrames    = maxGap // the number of frames in a block
)
