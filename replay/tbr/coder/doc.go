// Package coder codes the inputs of a match close to their entropy.
//
// Players hold what they hold for many frames. So for each player of a block the
// coder gives, in turns, a gap, which is for how many frames the input stays as it
// is, and a change, which is what the next input differs in from the one before: the
// exclusive or of both. Four bits of it at a time are a symbol; masks of four bits
// say which of four nibbles change, masks of masks say which of these, and so on up
// to a single one, so that a change costs little however large inputs are.
//
// Symbols are coded with an asymmetric numeral system (rANS, Jarek Duda, "Asymmetric
// numeral systems", arXiv:1311.2540) whose probabilities are counted as it goes: all
// players share them. Tables of them are computed anew at growing intervals rather
// than after each symbol, so that decoding looks up most symbols in one step.
//
//   - [Encoder]: the inputs of a block to bytes
//   - [Decoder]: back
//
// Blocks of a segment are coded, and decoded, in order: each learns from those
// before it. Decoding never panics and allocates nothing after Init.
package coder

import "errors"

// ErrData is a block that no encoder writes.
var ErrData = errors.New("coder: the block is damaged")

// Limits of what can be coded.
const (
	MaxPlayers   = 16
	MaxInputSize = 64     // bytes of a player's input
	MaxFrames    = maxGap // of a block
)
