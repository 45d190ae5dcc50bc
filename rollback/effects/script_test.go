package effects

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The kinds of all tests. Glow and ko wait for certainty.
var (
	hit  = OneShot[uint8](1, "hit")
	hum  = Sustained[uint8](2, "hum")
	ko   = OneShot[uint8](3, "ko").OnlyConfirmed()
	glow = Sustained[uint8](4, "glow").OnlyConfirmed()

	kinds = []Kind[uint8]{hit, hum, ko, glow}
)

func declarations() []Declaration { return []Declaration{hit, hum, ko, glow} }

func newJournal(t testing.TB, cfg Config) *Journal {
	t.Helper()
	cfg.Kinds = declarations()
	j, err := NewJournal(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// script is a scenario. Emissions are written "hit 7" or, with a payload,
// "hit 7 5"; a frame emits what is separated by commas.
type script struct {
	t                 *testing.T
	j                 *Journal
	confirmed, agreed Frame // for the next flush
}

// play starts a scenario with this tolerance.
func play(t *testing.T, tolerance int) *script {
	return &script{t: t, j: newJournal(t, Config{Tolerance: tolerance})}
}

// next simulates a new frame for each of the lists of emissions.
func (s *script) next(frames ...string) *script {
	s.t.Helper()
	return s.again(s.j.next, frames...)
}

// again simulates the frames from f on.
func (s *script) again(f Frame, frames ...string) *script {
	s.t.Helper()
	for _, emissions := range frames {
		s.j.Begin(f)
		emit(s.t, s.j.Emitter(), emissions)
		f++
	}
	if err := s.j.Err(); err != nil {
		s.t.Fatal(err)
	}
	return s
}

// know says how many frames are confirmed and agreed from now on.
func (s *script) know(confirmed, agreed Frame) *script {
	s.confirmed, s.agreed = confirmed, agreed
	return s
}

// sees ends the tick, with exactly these events.
func (s *script) sees(want ...string) *script {
	s.t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), texts(s.j.Flush(s.confirmed, s.agreed))); diff != "" {
		s.t.Errorf("the events, expected and got:\n%s", diff)
	}
	return s
}

// texts writes events without payloads of zero.
func texts(events []Event) []string {
	list := []string{}
	for i := range events {
		list = append(list, strings.TrimSuffix(events[i].String(), " [00]"))
	}
	return list
}

// emit emits what a script says.
func emit(t testing.TB, e *Emitter, emissions string) {
	t.Helper()
	for text := range strings.SplitSeq(emissions, ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		var name string
		var key uint32
		var p uint8
		if n, _ := fmt.Sscan(text, &name, &key, &p); n < 2 {
			t.Fatalf("%q is not an emission", text)
		}
		for _, k := range kinds {
			if k.Name() == name {
				k.Emit(e, key, p)
			}
		}
	}
}
