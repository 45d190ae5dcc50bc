package effects_test

import (
	"fmt"

	"github.com/tickback/tickback/rollback/effects"
)

// HitInfo is what the presentation of a hit needs besides the player who was
// hit.
type HitInfo struct {
	Damage uint16
	Heavy  bool
}

// The kinds of a fighting game. A key is the player whom it is about.
var (
	Hit    = effects.OneShot[HitInfo](1, "hit")
	Shield = effects.Sustained[struct{}](2, "shield")
	KO     = effects.OneShot[struct{}](3, "ko").OnlyConfirmed()
)

// mixer stands for the audio of the game.
type mixer struct{}

func (mixer) play(id string, frames uint32)  { fmt.Println("play", id, "from frame", frames) }
func (mixer) rename(from, to string)         { fmt.Println("rename", from, "to", to) }
func (mixer) adjust(id string)               { fmt.Println("adjust", id) }
func (mixer) release(id string)              { fmt.Println("release", id) }
func (mixer) fade(id string)                 { fmt.Println("fade out", id) }
func (mixer) shake(damage uint16, hard bool) { fmt.Println("shake by", damage, hard) }

// present acts on the changes of effects in one tick.
func present(m mixer, events []effects.Event) {
	for i := range events {
		ev := &events[i]
		// A playing sound is identified by its frame, until it moves to another
		// one.
		from := fmt.Sprintf("%d/%d@%d", ev.Kind, ev.Key, ev.From)
		switch ev.What {
		case effects.Started:
			m.play(from, ev.Late)
		case effects.Moved:
			m.rename(from, fmt.Sprintf("%d/%d@%d", ev.Kind, ev.Key, ev.Frame))
		case effects.Updated:
			m.adjust(from)
		case effects.Ended:
			m.release(from)
		case effects.Cancelled:
			m.fade(from)
		case effects.Confirmed:
			if Hit.Is(ev) {
				hit := Hit.Payload(ev)
				m.shake(hit.Damage, hit.Heavy)
			}
		}
	}
}

// A hit is predicted at frame 1; the other player's input arrives, and it was at
// frame 2. The sound that is playing goes on.
func Example() {
	journal, err := effects.NewJournal(effects.Config{
		Kinds: []effects.Declaration{Hit, Shield, KO},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	step := func(f, hitAt effects.Frame) {
		journal.Begin(f)
		if f == hitAt {
			Hit.Emit(journal.Emitter(), 1, HitInfo{Damage: 40, Heavy: true})
		}
		Shield.Emit(journal.Emitter(), 0, struct{}{})
	}

	fmt.Println("- predicted")
	for f := range effects.Frame(3) {
		step(f, 1)
	}
	present(mixer{}, journal.Flush(1, 1))

	fmt.Println("- corrected")
	for f := range effects.Frame(3) {
		if f >= 1 {
			step(f, 2)
		}
	}
	present(mixer{}, journal.Flush(3, 3))
	// Output:
	// - predicted
	// play 1/1@1 from frame 1
	// play 2/0@0 from frame 2
	// - corrected
	// rename 1/1@1 to 1/1@2
	// shake by 40 true
}

// A KO that a prediction made is not shown; the one that happened is.
func ExampleKind_OnlyConfirmed() {
	journal, err := effects.NewJournal(effects.Config{Kinds: []effects.Declaration{KO}})
	if err != nil {
		fmt.Println(err)
		return
	}
	journal.Begin(0)
	KO.Emit(journal.Emitter(), 0, struct{}{})
	fmt.Println(len(journal.Flush(0, 0)), "events")

	journal.Begin(0)
	journal.Begin(1)
	KO.Emit(journal.Emitter(), 1, struct{}{})
	events := journal.Flush(2, 2)
	for i := range events {
		fmt.Println(&events[i])
	}
	// Output:
	// 0 events
	// started ko 1 at 1
	// confirmed ko 1 at 1
}
