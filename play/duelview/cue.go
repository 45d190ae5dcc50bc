package duelview

import (
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/sound"
	"github.com/tickback/tickback/rollback/effects"
)

// pan returns the stereo position for a position on the stage.
func pan(x int32) float64 { return (float64(x)/duel.StageRight*2 - 1) * 0.7 }

// Cue returns the sound of an effect of the duel.
func Cue(e *effects.Event) sound.Cue {
	switch {
	case duel.Jumped.Is(e):
		return sound.Cue{Patch: &sound.Jump, Pan: pan(duel.Jumped.Payload(e).X), Gain: 0.7}
	case duel.Landed.Is(e):
		return sound.Cue{Patch: &sound.Land, Pan: pan(duel.Landed.Payload(e).X), Gain: 0.8}
	case duel.Swung.Is(e):
		return sound.Cue{Patch: &sound.Swing, Pan: pan(duel.Swung.Payload(e).X), Gain: 1}
	case duel.Struck.Is(e):
		return sound.Cue{Patch: &sound.Hit, Pan: pan(duel.Struck.Payload(e).X), Gain: 1}
	case duel.KnockedOut.Is(e):
		return sound.Cue{Patch: &sound.Gong, Pan: pan(duel.KnockedOut.Payload(e).X), Gain: 1}
	case duel.Runs.Is(e):
		return sound.Cue{Patch: &sound.Step, Gain: 0.8}
	case duel.Dazed.Is(e):
		return sound.Cue{Patch: &sound.Stun, Gain: 1}
	}
	return sound.Cue{}
}
