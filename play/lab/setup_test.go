package lab_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/play/lab"
)

// A link reproduces each setup.
func TestASetupIsAText(t *testing.T) {
	full := lab.Setup{Settings: lab.Settings{
		Delay: 60 * time.Millisecond, Jitter: 10 * time.Millisecond, Back: 5 * time.Millisecond, Loss: 3, Duplicate: 4, Bursts: true, InputDelay: 2, Lockstep: true,
	}, Seed: 1<<32 - 1, Players: lab.ScriptTwice, Compare: true}
	all := []lab.Setup{{}, full}
	for _, p := range lab.Tour {
		all = append(all, lab.Setup{Settings: p.Settings, Compare: p.Compare})
	}
	for _, s := range all {
		got, err := lab.ParseSetup(s.String())
		if err != nil || got != s {
			t.Errorf("%q: %+v, %v; want %+v", s, got, err, s)
		}
	}
	if got := (lab.Setup{Settings: lab.Settings{Delay: 60 * time.Millisecond}, Seed: 7}).String(); got != "delay.60-seed.7" {
		t.Errorf("the text is %q", got)
	}
}

// An impossible text is not a setup.
func TestATextThatIsNoSetup(t *testing.T) {
	for _, text := range []string{"delay", "delay.-1", "delay.301", "loss.41", "players.3", "speed.1", "delay.60-", "delay.99999999999999", strings.Repeat("seed.1-", 99), "\xff"} {
		if s, err := lab.ParseSetup(text); err == nil || s != (lab.Setup{}) {
			t.Errorf("%.20q is %+v", text, s)
		}
	}
}

func FuzzParseSetup(f *testing.F) {
	f.Add("delay.60-jitter.10-seed.7")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := lab.ParseSetup(text)
		if err != nil {
			return
		}
		if again, err := lab.ParseSetup(s.String()); err != nil || again != s {
			t.Errorf("%q is %+v, then %+v, %v", text, s, again, err)
		}
	})
}
