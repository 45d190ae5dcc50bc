// Package settings keeps a player's choices, in the browser's local storage or in a file: a [Store]. Stored settings
// are checked field by field, so that only the invalid fields of a damaged or foreign file are lost.
package settings

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/letters"
	"github.com/tickback/tickback/play/words"
)

// Limits of the settings.
const (
	MaxSize  = 16 << 10 // bytes of the stored text
	MaxDelay = 8        // frames of input delay
	MaxKey   = 24       // bytes of a key's name
	MaxName  = 12       // letters of a name (grapheme clusters), with 32 bytes at most
)

// Settings are the choices of a player.
type Settings struct {
	Volume        float64      `json:"volume"` // 0 to 1
	Palette       int          `json:"palette"`
	ReducedMotion bool         `json:"reducedMotion"` // no shake, no flashes
	Delay         int          `json:"delay"`         // input delay in frames, 0 to MaxDelay
	Keys          controls.Map `json:"keys"`
	// Name is what others see: at most MaxName letters; "" if none was chosen yet.
	Name string `json:"name,omitempty"`
	// Language is the tag of a supported language; "" means that of the system.
	Language string `json:"language,omitempty"`
}

// Default returns the default settings.
func Default() Settings {
	return Settings{Volume: 0.6, Delay: 1, Keys: controls.Default()}
}

// Store keeps a text.
type Store interface {
	// Load returns the last text that was saved; ok is false if there is none.
	Load() (text []byte, ok bool, err error)
	Save(text []byte) error
}

// ErrInvalid is wrapped by all errors about stored settings.
var ErrInvalid = errors.New("invalid settings")

// Load returns the stored settings. Those that are missing or out of range are taken from d, the defaults. The
// settings are always usable; the error says why they are only the defaults.
func Load(s Store, d Settings, palettes int) (Settings, error) {
	text, ok, err := s.Load()
	if err != nil || !ok {
		return d, err
	}
	return Parse(text, d, palettes)
}

// Parse reads settings; see [Load].
func Parse(text []byte, d Settings, palettes int) (Settings, error) {
	if len(text) > MaxSize {
		return d, fmt.Errorf("%w: %d bytes, more than %d", ErrInvalid, len(text), MaxSize)
	}
	got := d
	if err := json.Unmarshal(text, &got); err != nil {
		return d, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	got.sanitise(&d, palettes)
	return got, nil
}

// sanitise replaces values that are out of range.
func (s *Settings) sanitise(d *Settings, palettes int) {
	if !(s.Volume >= 0 && s.Volume <= 1) {
		s.Volume = d.Volume
	}
	if s.Palette < 0 || s.Palette >= palettes {
		s.Palette = d.Palette
	}
	if s.Delay < 0 || s.Delay > MaxDelay {
		s.Delay = d.Delay
	}
	s.Name = Name(s.Name)
	if l, ok := words.Parse(s.Language); ok {
		s.Language = l.Tag()
	} else {
		s.Language = d.Language
	}
	for seat := range s.Keys {
		for action := range s.Keys[seat] {
			for i, k := range s.Keys[seat][action] {
				if len(k) > MaxKey {
					s.Keys[seat][action][i] = ""
				}
			}
		}
	}
}

// Name makes a name from a text: the first MaxName letters, with single spaces between words; see [letters.Clean].
func Name(text string) string {
	const bytes = 32 // the maximum that a room accepts
	return letters.Clean(text, MaxName, bytes)
}

// Save stores the settings.
func (s *Settings) Save(to Store) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return to.Save(text)
}
