package settings_test

import (
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/settings"
)

func TestWhatIsSavedIsLoaded(t *testing.T) {
	want := settings.Default()
	want.Volume, want.Palette, want.ReducedMotion, want.Delay, want.Language = 0.25, 2, true, 3, "de"
	want.Keys.Bind(1, 4, "KeyX")
	for name, store := range map[string]settings.Store{
		"memory": &settings.Memory{},
		"file":   settings.File{Path: filepath.Join(t.TempDir(), "new", "play.json")},
	} {
		if got, err := settings.Load(store, settings.Default(), 4); err != nil || got != settings.Default() {
			t.Errorf("%s: empty: %+v, %v", name, got, err)
		}
		for range 2 {
			if err := want.Save(store); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := settings.Load(store, settings.Default(), 4); err != nil || got != want {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestWhatIsOutOfRangeIsTheDefault(t *testing.T) {
	d := settings.Default()
	got, err := settings.Parse([]byte(`{"volume": 7, "palette": 4, "delay": -1, "reducedMotion": true, "language": "de-AT"}`), settings.Default(), 4)
	want := d
	want.ReducedMotion, want.Language = true, "de"
	if err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = settings.Parse([]byte(`{"volume": 0, "language": "tlh", "keys": [[["`+strings.Repeat("x", 99)+`"]]]}`), settings.Default(), 4)
	if err != nil || got.Volume != 0 || got.Keys[0][0][0] != "" || got.Language != "" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestWhatIsNoSettingsSaysSo(t *testing.T) {
	for _, text := range []string{"", "[]", "{", `{"volume": "loud"}`, strings.Repeat(" ", settings.MaxSize+1)} {
		if got, err := settings.Parse([]byte(text), settings.Default(), 4); !errors.Is(err, settings.ErrInvalid) || got != settings.Default() {
			t.Errorf("%.20q: %+v, %v", text, got, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"volume": 0.5, "keys": [[["KeyA"]]], "palette": 1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, _ := settings.Parse(text, settings.Default(), 3)
		if math.IsNaN(s.Volume) || s.Volume < 0 || s.Volume > 1 || s.Palette < 0 || s.Palette > 2 || s.Delay < 0 || s.Delay > settings.MaxDelay {
			t.Errorf("%+v", s)
		}
		s.Keys.Held(&controls.Devices{Keys: []controls.Key{"KeyA"}}, 0)
		var m settings.Memory
		if err := s.Save(&m); err != nil {
			t.Fatal(err)
		}
		if again, err := settings.Parse(m.Text, settings.Default(), 3); len(m.Text) <= settings.MaxSize && (err != nil || again != s) {
			t.Errorf("%+v is %+v after a save, %v", s, again, err)
		}
	})
}

// Names can be displayed and sent: they are short, and contain no invisible characters.
func TestNamesAreShort(t *testing.T) {
	for text, want := range map[string]string{
		"Ada": "Ada", "  Ada  Lovelace ": "Ada Lovelace", "a\x00b\nc": "abc", "": "", " ": "",
		"1234567890123456": "123456789012", "日本語日本語日本語日本語": "日本語日本語日本語日",
		"\u202eevil": "evil", "\xff\xfe": "",
	} {
		if got := settings.Name(text); got != want || len(got) > 32 || settings.Name(got) != got {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
