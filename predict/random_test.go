package predict_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/predict"
)

var (
	seedFlag  = flag.Uint64("predict.seed", 0, "play the random sequence of this seed again")
	countFlag = flag.Int("predict.sequences", 0, "how many random sequences to play, instead of 5,000")
)

func randomStick(r *rand.Rand) stick {
	return stick{Turn: int8(r.IntN(5) - 2), Throttle: int8(r.IntN(5) - 2)}
}

// randomDuration is mostly a cadence or some, and often odd, short or nothing.
func randomDuration(r *rand.Rand) time.Duration {
	switch r.IntN(6) {
	case 0:
		return 0
	case 1:
		return time.Duration(r.IntN(50)) * ms
	case 2:
		return time.Duration(r.IntN(400)) * ms
	}
	return time.Duration(r.IntN(4)) * cadence
}

// world is a client, a server and the network between them, and what each should
// have come to by the naive rule.
type world struct {
	*rand.Rand
	client *predict.Predictor[pose, stick]
	apply  func(s *pose, in stick, d time.Duration) // of the server

	made   []predict.Move[stick] // all, in order
	server pose
	first  predict.Tick // moves that the server had made before, of another client
	served int          // moves made at the server since
	frame  predict.Frame

	truth   []predict.Update[pose] // all that the server has said, in order
	known   []int                  // how often it had been touched by then
	taken   int                    // the newest of them that the client has, or -1
	touches int
	tally   map[string]int
}

// play plays the random sequence of a seed, with a server that makes moves so, and
// compares after every event.
func play(seed uint64, apply func(s *pose, in stick, d time.Duration), tally map[string]int) error {
	w := &world{Rand: rand.New(rand.NewPCG(seed, 1)), apply: apply, taken: -1, tally: tally}
	room := 1 + w.IntN(24)
	client, err := predict.New(pose{}, predict.Config[pose, stick]{Motion: motion(), Player: 3, Room: room})
	if err != nil {
		return err
	}
	w.client = client
	if w.IntN(2) == 0 {
		if err := w.countOn(); err != nil {
			return err
		}
	}
	for range 5 + w.IntN(30) {
		if err := w.event(room); err != nil {
			return err
		}
		if err := w.check(); err != nil {
			return err
		}
	}
	return w.finish()
}

func (w *world) event(room int) error {
	switch n := w.IntN(20); {
	case n < 8:
		return w.move(room)
	case n < 12:
		w.serve()
	case n < 13:
		w.touch()
	case n < 15:
		w.say()
	case n < 18:
		return w.hear(w.IntN(len(w.truth) + 1))
	default:
		return w.rebuild()
	}
	return nil
}

// countOn has the server have moves of an earlier client. The client hears it before it moves.
func (w *world) countOn() error {
	w.first = predict.Tick(w.Uint32() >> 1 >> w.IntN(31))
	w.touch()
	w.say()
	w.tally["counted on"]++
	return w.hear(0)
}

// move makes a move at the client, or finds that there is no room.
func (w *world) move(room int) error {
	m, err := w.client.Do(randomStick(w.Rand), randomDuration(w.Rand))
	pending := len(w.made) - w.acked()
	if full := pending == room; full != (err != nil) {
		return fmt.Errorf("%d of %d are pending: %w", pending, room, err)
	}
	if err == nil {
		if want := w.first + predict.Tick(len(w.made)) + 1; m.Tick != want {
			return fmt.Errorf("a move is number %d, and should be %d", m.Tick, want)
		}
		w.made = append(w.made, m)
		w.tally["moves"]++
	} else {
		w.tally["full"]++
	}
	return nil
}

// serve makes the next move at the server, if one has been sent.
func (w *world) serve() {
	if w.served < len(w.made) {
		m := w.made[w.served]
		w.apply(&w.server, m.Input, m.For)
		w.served++
		w.tally["served"]++
	}
}

// touch is what the client cannot foresee: somebody pushes it.
func (w *world) touch() {
	w.server.Pos.X += fixed.Num(1 + w.IntN(1000))
	w.touches++
	w.tally["touches"]++
}

// say lets the server send its state, perhaps without news.
func (w *world) say() {
	w.frame += predict.Frame(1 + w.IntN(3))
	w.known = append(w.known, w.touches)
	w.truth = append(w.truth, predict.Update[pose]{Player: 3, Frame: w.frame, Acked: w.first + predict.Tick(w.served), State: w.server})
}

// hear delivers one of the updates, in any order and again.
func (w *world) hear(i int) error {
	if i == len(w.truth) {
		return nil
	}
	pending := w.client.Len()
	c, err := w.client.Accept(&w.truth[i])
	if err != nil {
		return err
	}
	if c.Taken != (i > w.taken) {
		return fmt.Errorf("update %d after %d: taken %v", i, w.taken, c.Taken)
	}
	if c.Taken {
		w.taken = i
		w.tally["updates"]++
		if pending != c.Acknowledged+c.Replayed {
			return fmt.Errorf("%d were pending, %d were acknowledged and %d replayed", pending, c.Acknowledged, c.Replayed)
		}
	} else {
		w.tally["ignored"]++
	}
	return nil
}

func (w *world) rebuild() error {
	before := *w.client.State()
	if after := *w.client.Rebuild().After; after != before {
		return fmt.Errorf("a rebuild leads from %v to %v", before, after)
	}
	w.tally["rebuilds"]++
	return nil
}

// base is what the client should go by.
func (w *world) base() pose {
	if w.taken < 0 {
		return pose{}
	}
	return w.truth[w.taken].State
}

func (w *world) acked() int {
	if w.taken < 0 {
		return 0
	}
	return int(w.truth[w.taken].Acked - w.first)
}

// check compares the client with the naive rule.
func (w *world) check() error {
	expected := w.base()
	for _, m := range w.made[w.acked():] {
		expected = naive(expected, m.Input, m.For)
	}
	if got := *w.client.State(); got != expected {
		return fmt.Errorf("the client is at %v, and should be at %v", got, expected)
	}
	if !slices.Equal(slices.Collect(w.client.Pending()), w.made[w.acked():]) {
		return fmt.Errorf("pending: %v", slices.Collect(w.client.Pending()))
	}
	return nil
}

// foreseeable reports whether nobody has touched the server's state since what the
// client last heard of it.
func (w *world) foreseeable() bool {
	if w.taken < 0 {
		return w.touches == 0
	}
	return w.known[w.taken] == w.touches
}

// finish lets the server make all moves: without a touch it comes to what the client
// has foreseen. Then the client hears of it, and they agree in any case.
func (w *world) finish() error {
	for w.served < len(w.made) {
		w.serve()
	}
	if w.foreseeable() {
		w.tally["foreseen"]++
		if predicted := *w.client.State(); predicted != w.server {
			return fmt.Errorf("the client foresees %v, and the server comes to %v", predicted, w.server)
		}
	}
	w.say()
	if err := w.hear(len(w.truth) - 1); err != nil {
		return err
	}
	if got := *w.client.State(); got != w.server || w.client.Len() != 0 {
		return fmt.Errorf("the client ends at %v with %d pending, and the server at %v", got, w.client.Len(), w.server)
	}
	w.tally["sequences"]++
	return w.check()
}

// Whatever is moved, lost, late, repeated and rebuilt: live play, replay and server
// come to the same states, and what is pending is what was not acknowledged.
//
//	go test ./predict -run LiveReplayAndServer -predict.sequences=1000000 -v
func TestLiveReplayAndServerNeverDiffer(t *testing.T) {
	m := motion()
	if *seedFlag != 0 {
		if err := play(*seedFlag, m.Apply, map[string]int{}); err != nil {
			t.Fatal(err)
		}
		return
	}
	sequences := 5000
	switch {
	case *countFlag > 0:
		sequences = *countFlag
	case testing.Short():
		sequences = 500
	}
	first, tally := rand.Uint64(), map[string]int{}
	for i := range uint64(sequences) {
		seed := max(first+i, 1)
		if err := play(seed, m.Apply, tally); err != nil {
			t.Fatalf("-predict.seed=%d: %v", seed, err)
		}
	}
	t.Log(tally)
	for _, what := range []string{"moves", "full", "served", "touches", "updates", "ignored", "rebuilds", "foreseen"} {
		if tally[what] == 0 {
			t.Errorf("never seen: %s", what)
		}
	}
}

// Negative control: a server that makes moves in one piece, and one that carries
// remainders over to the next move, are found soon.
func TestServersThatPartMovesOtherwiseAreFound(t *testing.T) {
	for name, server := range map[string]func() func(s *pose, in stick, d time.Duration){
		"in one piece": func() func(s *pose, in stick, d time.Duration) {
			return func(s *pose, in stick, d time.Duration) { drive(s, in, d) }
		},
		"carries over": func() func(s *pose, in stick, d time.Duration) {
			var account time.Duration
			return func(s *pose, in stick, d time.Duration) {
				for account += d; account >= cadence; account -= cadence {
					drive(s, in, cadence)
				}
			}
		},
	} {
		found := 0
		for seed := range uint64(100) {
			if play(seed+1, server(), map[string]int{}) != nil {
				found++
			}
		}
		if found < 20 {
			t.Errorf("%s: only %d of 100 sequences find it", name, found)
		}
	}
}
