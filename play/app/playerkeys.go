package app

import (
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/words"
)

// keyRepeat makes held keys count repeatedly.
type keyRepeat struct {
	key  controls.Key
	wait float32
}

// hit reports whether a key has gone down, or has been held long enough to count again.
func (r *keyRepeat) hit(p *Picture, k controls.Key) bool {
	switch {
	case p.pressed(k):
		r.key, r.wait = k, repeatAfter
		return true
	case r.key != k:
		return false
	case !p.Devices.Has(k):
		r.key = ""
		return false
	}
	if r.wait -= p.DT; r.wait > 0 {
		return false
	}
	r.wait = repeatEvery
	return true
}

// hotkeys handles keys and gamepads.
func (s *player) hotkeys(p *Picture) {
	for _, k := range []struct {
		key controls.Key
		do  func()
	}{
		{"Comma", func() { s.step(-1) }},
		{"Period", func() { s.step(1) }},
		{"ArrowLeft", func() { s.skip(-1) }},
		{"ArrowRight", func() { s.skip(1) }},
		{"ArrowDown", func() { s.skip(-leap) }},
		{"ArrowUp", func() { s.skip(leap) }},
	} {
		if s.keys.hit(p, k.key) {
			k.do()
		}
	}
	switch {
	case p.pressed("Space"), p.pressed("Enter"), p.App.input.started(p.Devices):
		s.toggle()
	case p.pressed("Home"):
		s.seek(0)
	case p.pressed("End"):
		s.seek(1 << 32)
	case p.pressed("Minus"), p.pressed("BracketLeft"):
		s.speed = max(s.speed-1, 0)
	case p.pressed("Equal"), p.pressed("BracketRight"):
		s.speed = min(s.speed+1, len(speeds)-1)
	case p.pressed("KeyV"):
		s.check()
	case p.pressed("KeyS"):
		s.save(p.App)
	}
	s.pads(p)
}

// pads handles gamepads: left and right jump, A plays and stops.
func (s *player) pads(p *Picture) {
	for i, pad := range p.Devices.Pads {
		fresh := pad.Held
		if i < len(p.App.input.before.Pads) {
			fresh &^= p.App.input.before.Pads[i].Held
		}
		switch {
		case fresh&controls.A != 0:
			s.toggle()
		case fresh&controls.Left != 0:
			s.skip(-1)
		case fresh&controls.Right != 0:
			s.skip(1)
		}
	}
}

// check starts verifying, or cancels it.
func (s *player) check() {
	if s.verify != nil && !s.verify.Over() {
		s.verify.Cancel()
		s.verify = nil
		return
	}
	s.verify = s.file.Verify()
}

// save saves the file for the player.
func (s *player) save(a *App) {
	if a.saveFile == nil {
		return
	}
	name, b := s.file.Original()
	where, err := a.saveFile(name, b)
	if s.note = words.F("saved as %s", where); err != nil {
		s.note = words.F("it could not be saved: %v", err)
	}
}
