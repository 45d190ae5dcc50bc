package lab_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/lab"
)

func bots() [2]lab.Player {
	return [2]lab.Player{duel.Bot{Seed: 1}.Input, duel.Bot{Seed: 2}.Input}
}

// played is a lab in which bots have played for the given number of pictures, at 60 per second.
func played(t *testing.T, s lab.Settings, pictures int) *lab.Lab {
	t.Helper()
	l, err := lab.New(1, s, bots())
	if err != nil {
		t.Fatal(err)
	}
	play(t, l, pictures)
	return l
}

func play(t *testing.T, l *lab.Lab, pictures int) {
	t.Helper()
	for range pictures {
		if err := l.Advance(time.Second / 60); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAPerfectNetworkRollsBackNothing(t *testing.T) {
	l := played(t, lab.Settings{InputDelay: 2}, 900)
	for _, p := range l.Peers() {
		if c := p.Counts(); c.Rollbacks != 0 || c.Mispredicted != 0 || p.Stats().Frame == 0 {
			t.Errorf("%+v, frame %d", c, p.Stats().Frame)
		}
	}
}

// The sliders have their effects: a delay causes rollbacks and ghosts, input delay hides it, and lockstep has no
// rollbacks and stalls.
func TestSlidersChangeWhatIsCounted(t *testing.T) {
	slow := lab.Settings{Delay: 80 * time.Millisecond, Jitter: 10 * time.Millisecond, Loss: 5, Duplicate: 10}
	l := played(t, slow, 900)
	for _, p := range l.Peers() {
		c := p.Counts()
		if c.Rollbacks < 20 || c.Deepest < 4 || c.Mispredicted == 0 || c.Resimulated < c.Rollbacks {
			t.Errorf("with a delay: %+v", c)
		}
		if h := p.Stats().Health; h == tickback.Desynced {
			t.Errorf("health is %v", h)
		}
	}
	before := l.Peers()[0].Counts().Rollbacks
	fast := slow
	fast.Delay, fast.Jitter, fast.Loss, fast.InputDelay = 10*time.Millisecond, 0, 0, 4
	if err := l.Set(fast); err != nil {
		t.Fatal(err)
	}
	play(t, l, 120) // what is under way
	settled := l.Peers()[0].Counts().Rollbacks
	play(t, l, 600)
	if after := l.Peers()[0].Counts().Rollbacks; after > settled+5 {
		t.Errorf("hidden by input delay there are %d more rollbacks, after %d", after-settled, before)
	}
	slow.Lockstep = true
	if err := l.Set(slow); err != nil {
		t.Fatal(err)
	}
	settled = l.Peers()[0].Counts().Rollbacks
	play(t, l, 600)
	s := l.Peers()[0].Stats()
	if after := l.Peers()[0].Counts().Rollbacks; after != settled || s.Stalls == 0 {
		t.Errorf("lockstep: %d rollbacks, %d stalls", after-settled, s.Stalls)
	}
}

// After a knock-out there is another duel, with both peers.
func TestDuelsFollowEachOther(t *testing.T) {
	l := played(t, lab.Settings{Delay: 40 * time.Millisecond}, 6000)
	a, b := l.Peers()[0], l.Peers()[1]
	if a.Counts().Duels < 2 || a.Counts().Duels != b.Counts().Duels {
		t.Errorf("%d and %d duels", a.Counts().Duels, b.Counts().Duels)
	}
}

func TestALabCanBeRepeated(t *testing.T) {
	s := lab.Settings{Delay: 60 * time.Millisecond, Jitter: 20 * time.Millisecond, Loss: 10}
	a, b := played(t, s, 500), played(t, s, 500)
	for i := range a.Peers() {
		if x, y := a.Peers()[i], b.Peers()[i]; x.Counts() != y.Counts() || *x.View().Current != *y.View().Current {
			t.Errorf("peer %d: %+v and %+v", i, x.Counts(), y.Counts())
		}
	}
}

// At ten pictures per second the peers play as at sixty: an arriving datagram does not wait for a picture.
func TestSlowPicturesChangeNothing(t *testing.T) {
	s := lab.Settings{Delay: 60 * time.Millisecond, Jitter: 10 * time.Millisecond}
	counts := func(pictures int) (c lab.Counts) {
		l, err := lab.New(1, s, bots())
		if err != nil {
			t.Fatal(err)
		}
		for range 10 * pictures {
			if err := l.Advance(time.Second / time.Duration(pictures)); err != nil {
				t.Fatal(err)
			}
		}
		return l.Peers()[0].Counts()
	}
	slow, fast := counts(10), counts(50) // both in steps of 4 ms
	if slow != fast || slow.Rollbacks < 20 {
		t.Errorf("at 10 pictures a second %+v, at 50 %+v", slow, fast)
	}
}

func TestSettingsHaveLimits(t *testing.T) {
	for _, s := range []lab.Settings{{Delay: -1}, {Jitter: time.Second}, {Loss: 41}, {Duplicate: -1}, {InputDelay: 9}} {
		if _, err := lab.New(1, s, bots()); err == nil {
			t.Errorf("%+v is accepted", s)
		}
	}
}
