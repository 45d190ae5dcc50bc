//go:build js || desktop

package window

import (
	"strings"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"github.com/tickback/tickback/play/controls"
)

// KeyNames returns a function that returns the label of a key in the layout of the keyboard, or "" if the system does
// not know it. The user may switch the layout, so it is queried again every two seconds.
func KeyNames() func(controls.Key) string {
	known := map[controls.Key]string{}
	var asked time.Time
	return func(k controls.Key) string {
		if now := time.Now(); now.Sub(asked) > 2*time.Second {
			clear(known)
			asked = now
		}
		name, ok := known[k]
		if !ok {
			var key ebiten.Key
			if key.UnmarshalText([]byte(strings.TrimPrefix(string(k), "Key"))) == nil {
				name = ebiten.KeyName(key)
			}
			known[k] = name
		}
		return name
	}
}
