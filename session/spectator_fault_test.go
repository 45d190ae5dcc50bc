package session

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/agreed"
)

// halfTrue is a host that shows the match of the honest one up to a comparison that is right, and continues
// with other inputs than those played. After that, it does what a test wants.
func halfTrue(t *testing.T, after func(l *liar)) *den {
	const compared, wrong = 60, 40
	d := newDen(t, true, nil)
	d.liar.say = func(l *liar) {
		l.tell(1, d.honest.lobby.At().Offer.Append(nil))
		l.tell(4, uint32(0))
		var w agreed.Writer
		w.Init(d.spectator.shown.shape())
		for n := range uint32(compared + wrong) {
			f := agreed.Frame{Number: n, Inputs: []byte{1, 2}}
			if n < compared {
				f.Inputs = d.truth[n]
			}
			if n == compared-1 {
				f.Marked, f.Mark.Chain = true, d.chains[compared]
			}
			l.tell(5, uint32(compared+wrong), uint16(1), w.Append(nil, &f))
		}
		if after != nil {
			after(l)
		}
	}
	d.untilHonest(100)
	return d
}

// untilHonest lets the honest host play a number of frames alone.
func (d *den) untilHonest(frames Frame) {
	for ; d.honest.sim.Agreed() < frames; d.now += 4 * time.Millisecond {
		d.honest.Update(d.now)
		d.note()
		d.honest.Events()
	}
}

// note stores the chain of the honest host's newest state.
func (d *den) note() {
	if d.chains == nil {
		d.chains = map[Frame]uint64{}
	}
	d.chains[d.honest.sim.Agreed()] = d.honest.stream.Chain.Value()
}

// Rule: a spectator does not continue from frames that only a host at fault has shown: the comparison before
// them is only that host's claim, too. The next host shows the match again from the beginning. That holds if
// the data from the host cannot be read, if the host violates the protocol, and if the next host reaches other
// states.
func TestWhatAHostAtFaultHasShownIsGivenUp(t *testing.T) {
	for name, after := range map[string]func(l *liar){
		"a frame that cannot be read": func(l *liar) { l.tell(5, uint32(128), uint16(28), byte(0xFF), make([]byte, 27)) },
		"an unknown message":          func(l *liar) { l.tell(99) },
		"a farewell":                  func(l *liar) { l.tell(7, []byte("good bye")) },
	} {
		t.Run(name, func(t *testing.T) {
			d := halfTrue(t, nil)
			r := new(Reel)
			if err := d.spectator.Record(r, EveryFrame); err != nil {
				t.Fatal(err)
			}
			if !d.until(5*time.Second, func() bool { return d.spectator.Frame() == 100 }) {
				t.Fatalf("it is at frame %d", d.spectator.Frame())
			}
			if after(d.liar); !d.until(10*time.Second, d.home) {
				t.Fatalf("it is at %v, frame %d of %d", d.spectator.incoming.follower.Host(), d.spectator.Frame(), d.honest.Frame())
			}
			d.run(2 * time.Second)
			s := d.spectator
			var state sum
			for _, input := range d.truth[:s.Frame()] {
				state.Frame++
				state.Total = state.Total*31 + uint64(le.Uint16(input))
			}
			if s.Health() != Healthy || *s.State() != state {
				t.Errorf("%v, %+v at frame %d, where the match has %+v", s.Health(), *s.State(), s.Frame(), state)
			}
			if slices.ContainsFunc(d.events, func(e Event) bool { return e.What == Desync }) {
				t.Error("the honest host is said to differ")
			}
			if r.Done == nil || !errors.Is(r.Done.Failed, errFault) || r.Done.Next < 100 {
				t.Errorf("the recording ends with %+v", r.Done)
			}
			if t.Failed() {
				t.Log(d.events)
			}
		})
	}
}

// Rule: a host at fault that has shown nothing costs no frame: the spectator continues from what came from
// others.
func TestAHostThatHasShownNothingCostsNothing(t *testing.T) {
	d := newDen(t, true, nil)
	d.liar.say = func(l *liar) {
		l.tell(1, d.honest.lobby.At().Offer.Append(nil))
		l.tell(99)
	}
	d.untilHonest(100)
	d.run(5 * time.Second)
	if d.spectator.shown.begun != 1 || !d.home() {
		t.Fatalf("%d matches have begun; at %v", d.spectator.shown.begun, d.spectator.incoming.follower.Host())
	}
	r := new(Reel)
	if err := d.spectator.Record(r, EveryFrame); err != nil {
		t.Fatal(err)
	}
	d.run(time.Second)
	began, came := d.spectator.shown.begun, d.liar.came
	d.mute = true
	d.until(20*time.Second, func() bool { return d.liar.came > came })
	d.mute = false
	d.until(10*time.Second, d.home)
	d.run(time.Second)
	if d.liar.came == came || d.spectator.shown.begun != began || !d.home() || r.Done != nil {
		t.Errorf("the liar was asked %d times; %d matches have begun, %d before; %+v", d.liar.came-came, d.spectator.shown.begun, began, r.Done)
	}
}
