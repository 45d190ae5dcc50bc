package served

import (
	"math/bits"
	"time"
)

// Margins are told in units of 500 µs: exactly up to 16 ms, and above in steps of an eighth or less, so
// that one byte reaches to a quarter of a second. What a client decides by are those near zero, and
// each is rounded towards late, so that none counts as earlier than it is.
const (
	marginUnit  = 500 * time.Microsecond
	marginExact = 32 // units
	marginSteps = 8  // to twice as many
	marginMost  = time.Hour
)

// earlyCode returns the number by which a margin is told.
func earlyCode(early time.Duration) int32 {
	early = min(max(early, -marginMost), marginMost)
	if early >= 0 {
		return codeOf(uint32(early / marginUnit))
	}
	late := uint32((-early + marginUnit - 1) / marginUnit)
	code := codeOf(late)
	if unitsOf(code) < late {
		code++
	}
	return -code
}

// codeOf returns the largest code of so many units or less.
func codeOf(units uint32) int32 {
	if units < marginExact {
		return int32(units)
	}
	octave := bits.Len32(units/marginExact) - 1
	return marginExact + marginSteps*int32(octave) + int32(units/(marginExact/marginSteps)>>octave) - marginSteps
}

func unitsOf(code int32) uint32 {
	if code < marginExact {
		return uint32(code)
	}
	octave := (code - marginExact) / marginSteps
	return uint32((code-marginExact)%marginSteps+marginSteps) * (marginExact / marginSteps) << octave
}

// earlyOf returns the margin that a number tells, and whether there is one.
func earlyOf(code int32) (early time.Duration, ok bool) {
	size := max(code, -code)
	if size < 0 || size > maxEarlyCode {
		return 0, false
	}
	early = time.Duration(unitsOf(size)) * marginUnit
	if code < 0 {
		early = -early
	}
	return early, true
}

// maxEarlyCode is that of a margin of marginMost, rounded up.
var maxEarlyCode = -earlyCode(-marginMost)
