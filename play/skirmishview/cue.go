package skirmishview

import (
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/play/sound"
	"github.com/tickback/tickback/rollback/effects"
)

// Cue returns the sound of an effect.
func Cue(e *effects.Event) sound.Cue {
	switch {
	case skirmish.Finished.Is(e):
		return sound.Cue{Patch: &sound.Appear, Gain: 0.5}
	case skirmish.Trained.Is(e):
		return sound.Cue{Patch: &sound.Land, Gain: 0.25}
	case skirmish.Taken.Is(e):
		return sound.Cue{Patch: &sound.Take, Gain: 0.5}
	case skirmish.Broken.Is(e):
		return sound.Cue{Patch: &sound.Hit, Gain: 0.7}
	case skirmish.Beaten.Is(e):
		return sound.Cue{Patch: &sound.Gong, Gain: 0.7}
	}
	return sound.Cue{}
}
