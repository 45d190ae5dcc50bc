package effects

import (
	"errors"
	"strings"
	"testing"

	"github.com/tickback/tickback/canon"
)

// Invalid settings are refused at construction, by name.
func TestWhatCannotWorkIsRefused(t *testing.T) {
	for want, cfg := range map[string]Config{
		`"hit" and "other" have the same id, 1`: {Kinds: []Declaration{hit, OneShot[uint16](1, "other")}},
		`kind 9, "text": `:                      {Kinds: []Declaration{hit, OneShot[struct{ S string }](9, "text")}},
		`kind 9, "big": the payload has 33`:     {Kinds: []Declaration{Sustained[[33]uint8](9, "big")}},
		"(value): float32; effects have none":   {Kinds: []Declaration{OneShot[float32](9, "real")}},
		`kind 9, "": the kind has no name`:      {Kinds: []Declaration{OneShot[uint8](9, "")}},
		`Kinds[1] is no kind`:                   {Kinds: []Declaration{hit, Kind[uint8]{}}},
		`Kinds[0] is no kind`:                   {Kinds: []Declaration{nil}},
		`Tolerance is 1025`:                     {Tolerance: MaxTolerance + 1},
		`MaxPerFrame is -1`:                     {MaxPerFrame: -1},
		`MaxPerFrame is 4097`:                   {MaxPerFrame: MaxPerFrame + 1},
		`History is -5`:                         {History: -5},
		`History is 1048577`:                    {History: MaxHistory + 1},
	} {
		j, err := NewJournal(cfg)
		if err == nil || j != nil || !strings.HasPrefix(err.Error(), "effects: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, without %q", err, want)
		}
	}
}

func TestAPayloadThatIsNotPlainIsExplained(t *testing.T) {
	_, err := NewJournal(Config{Kinds: []Declaration{OneShot[struct{ N int }](9, "n").OnlyConfirmed()}})
	var check *canon.CheckError
	if !errors.As(err, &check) || len(check.Problems) != 1 {
		t.Errorf("the error is %v", err)
	}
}

// The zero config works, and so do the ends of every range.
func TestConfigsThatWork(t *testing.T) {
	for _, cfg := range []Config{
		{},
		{Tolerance: MaxTolerance, MaxPerFrame: 1, History: 1},
		{Tolerance: -9, MaxPerFrame: MaxPerFrame, History: 3},
	} {
		if _, err := NewJournal(cfg); err != nil {
			t.Error(err)
		}
	}
	want := Config{Tolerance: DefaultTolerance, MaxPerFrame: DefaultMaxPerFrame, History: DefaultHistory}
	if got := (Config{}).withDefaults(); got.Tolerance != want.Tolerance || got.MaxPerFrame != want.MaxPerFrame || got.History != want.History {
		t.Errorf("the defaults are %+v", got)
	}
}
