package tanksview

import (
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/sound"
	"github.com/tickback/tickback/rollback/effects"
)

// Cue returns the sound of an effect at the camera's position: distant effects are quiet, and those beside it come
// from that side.
func (v *View) Cue(e *effects.Event) sound.Cue {
	at := func(place fixed.Vec2, p *sound.Patch, loud float64) sound.Cue {
		d := point(place).Minus(v.camera.at)
		far := float64(d.Length()) / 600
		return sound.Cue{Patch: p, Pan: min(max(float64(d.X)/900, -0.8), 0.8), Gain: loud / (1 + far*far)}
	}
	switch {
	case tanks.Fired.Is(e):
		return at(tanks.Fired.Payload(e).At, &sound.BigShot, 0.7)
	case tanks.Stopped.Is(e):
		return at(tanks.Stopped.Payload(e).At, &sound.Bounce, 0.8)
	case tanks.Hit.Is(e):
		return at(tanks.Hit.Payload(e).At, &sound.Hit, 0.8)
	case tanks.Destroyed.Is(e):
		return at(tanks.Destroyed.Payload(e).At, &sound.Gong, 0.8)
	case tanks.Spawned.Is(e):
		return at(tanks.Spawned.Payload(e).At, &sound.Appear, 0.4)
	case tanks.MatchEnded.Is(e):
		return sound.Cue{Patch: &sound.Win, Gain: 1}
	}
	return sound.Cue{}
}
