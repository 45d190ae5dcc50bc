package arenaview

import (
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/play/sound"
	"github.com/tickback/tickback/rollback/effects"
)

func at(v fixed.Vec2) float64 { return float64(number(v.X)/halfWidth) * 0.7 }

// Cue returns the sound of an effect of the arena.
func Cue(e *effects.Event) sound.Cue {
	switch {
	case arena.Fired.Is(e):
		p := arena.Fired.Payload(e)
		if p.Big != 0 {
			return sound.Cue{Patch: &sound.BigShot, Pan: at(p.At), Gain: 1}
		}
		return sound.Cue{Patch: &sound.Shot, Pan: at(p.At), Gain: 0.6 + float64(p.Damage)/60}
	case arena.Bounced.Is(e):
		return sound.Cue{Patch: &sound.Bounce, Pan: at(arena.Bounced.Payload(e).At), Gain: 1}
	case arena.Hit.Is(e):
		return wound(arena.Hit.Payload(e))
	case arena.Rammed.Is(e):
		return wound(arena.Rammed.Payload(e))
	case arena.Dashed.Is(e):
		return sound.Cue{Patch: &sound.Dash, Pan: at(arena.Dashed.Payload(e).At), Gain: 0.8}
	case arena.KnockedOut.Is(e):
		return sound.Cue{Patch: &sound.Gong, Pan: at(arena.KnockedOut.Payload(e).At), Gain: 0.7}
	case arena.Spawned.Is(e):
		return sound.Cue{Patch: &sound.Appear, Pan: at(arena.Spawned.Payload(e).At), Gain: 0.5}
	case arena.Taken.Is(e):
		return sound.Cue{Patch: &sound.Take, Pan: at(arena.Taken.Payload(e).At), Gain: 0.7}
	}
	return aboutTheMatch(e)
}

func wound(w arena.Wound) sound.Cue {
	if w.Blocked != 0 {
		return sound.Cue{Patch: &sound.Block, Pan: at(w.At), Gain: 1}
	}
	return sound.Cue{Patch: &sound.Hit, Pan: at(w.At), Gain: 0.5 + float64(w.Damage)/60}
}

func aboutTheMatch(e *effects.Event) sound.Cue {
	switch {
	case arena.Beep.Is(e):
		return sound.Cue{Patch: &sound.Tick, Gain: 1}
	case arena.RoundStarted.Is(e):
		return sound.Cue{Patch: &sound.Go, Gain: 1}
	case arena.RoundEnded.Is(e):
		return sound.Cue{Patch: &sound.Take, Gain: 0.6}
	case arena.MatchEnded.Is(e):
		return sound.Cue{Patch: &sound.Win, Gain: 1}
	case arena.ShieldHum.Is(e):
		return sound.Cue{Patch: &sound.Hum, Gain: 0.8}
	case arena.ChargeWhine.Is(e):
		return sound.Cue{Patch: &sound.Whine, Gain: 0.8}
	case arena.Alarm.Is(e):
		return sound.Cue{Patch: &sound.Alarm, Gain: 0.7}
	}
	return sound.Cue{}
}
