package predict_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/predict"
)

var (
	seedFlag  = flag.Uint64("predict.seed", 1, "seed of the first random sequence")
	countFlag = flag.Uint64("predict.sequences", 0, "how many random sequences to play, instead of 5,000, or 500 with -short")
)

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// world is a client beside its naive model, a server, and the network between them.
type world struct {
	*rand.Rand
	*client
	apply func(s *pose, in stick, d time.Duration) // of the server

	server  pose
	first   predict.Tick // moves that the server had made before, of another client
	served  int          // moves made at the server since
	said    []predict.Update[pose]
	touches int
	known   map[predict.Frame]int // touches that an update includes
	tally   map[string]int
}

// move makes a move, mostly of a cadence or some, and often odd, short or nothing.
func (w *world) move() error {
	d := time.Duration(w.IntN(4)) * cadence
	switch w.IntN(6) {
	case 0:
		d = 0
	case 1:
		d = time.Duration(w.IntN(50)) * ms
	case 2:
		d = time.Duration(w.IntN(400)) * ms
	}
	return w.do(stick{int8(w.IntN(5) - 2), int8(w.IntN(5) - 2)}, d)
}

// trial is a test that a sequence may fail, as a negative control has to.
type trial struct{ testing.TB }

func (trial) Helper()                           {}
func (trial) Fatalf(format string, args ...any) { panic(fmt.Errorf(format, args...)) }

// sequence plays the random sequence of a seed, with a server that makes moves so, and returns what is wrong. Each call
// is compared with the naive model, and the end with the server.
func sequence(t testing.TB, seed uint64, apply func(s *pose, in stick, d time.Duration), tally map[string]int) (wrong error) {
	defer func() { wrong, _ = recover().(error) }()
	w := &world{Rand: random(seed), apply: apply, known: map[predict.Frame]int{}, tally: tally}
	w.client = newClient(trial{t}, 1+w.IntN(24))
	if w.IntN(2) == 0 { // the server counts on, and says so before the client moves
		w.first = predict.Tick(w.Uint32() >> 1 >> w.IntN(31))
		w.touch()
		w.say()
		w.hear(0)
	}
	for range 5 + w.IntN(30) {
		w.event()
	}
	w.finish()
	return nil
}

func (w *world) event() {
	switch n := w.IntN(20); {
	case n < 8:
		if w.move() != nil {
			w.tally["full"]++
		}
	case n < 12:
		w.serve()
	case n < 13:
		w.touch()
	case n < 15:
		w.say()
	case n < 18:
		w.hear(w.IntN(len(w.said) + 1))
	default:
		w.rebuild()
	}
}

// serve makes the next move at the server, if one has been sent.
func (w *world) serve() {
	if w.served < len(w.made) {
		m := w.made[w.served]
		w.apply(&w.server, m.Input, m.For)
		w.served++
	}
}

// touch is what the client cannot foresee: somebody pushes it.
func (w *world) touch() {
	w.server.Pos.X += fixed.Num(1 + w.IntN(1000))
	w.touches++
}

// say has the server send its state, perhaps without news.
func (w *world) say() {
	f := predict.Frame(1 + w.IntN(3))
	if n := len(w.said); n > 0 {
		f += w.said[n-1].Frame
	}
	w.known[f] = w.touches
	w.said = append(w.said, predict.Update[pose]{Player: 3, Frame: f, Acked: w.first + predict.Tick(w.served), State: w.server})
}

// hear delivers one of the updates, in any order and again, or loses one.
func (w *world) hear(i int) {
	if i == len(w.said) {
		return
	}
	if w.heard && w.said[i].Frame <= w.last.Frame {
		w.tally["ignored"]++
	}
	w.accept(w.said[i])
}

// finish has the server make all moves: without a touch it comes to what the client has foreseen. Then the client hears
// of it, and they agree in any case.
func (w *world) finish() {
	for w.served < len(w.made) {
		w.serve()
	}
	if w.known[w.last.Frame] == w.touches {
		w.tally["foreseen"]++
		if predicted := *w.State(); predicted != w.server {
			w.t.Fatalf("the client foresees %v, and the server comes to %v", predicted, w.server)
		}
	}
	w.say()
	w.hear(len(w.said) - 1)
	if got := *w.State(); got != w.server || w.Len() != 0 {
		w.t.Fatalf("the client ends at %v with %d pending, and the server at %v", got, w.Len(), w.server)
	}
}

// Whatever is moved, lost, late, repeated and rebuilt: live play, replay and server come to the same states, and what is
// pending is what was not acknowledged.
//
//	go test ./predict -run LiveReplayAndServer -predict.sequences=1000000 -v
func TestLiveReplayAndServerNeverDiffer(t *testing.T) {
	sequences := *countFlag
	switch {
	case sequences > 0:
	case testing.Short():
		sequences = 500
	default:
		sequences = 5000
	}
	m, tally := motion(), map[string]int{}
	for seed := *seedFlag; seed < *seedFlag+sequences; seed++ {
		if err := sequence(t, seed, m.Apply, tally); err != nil {
			t.Fatalf("-predict.seed=%d -predict.sequences=1: %v", seed, err)
		}
	}
	t.Log(tally)
	for _, what := range []string{"full", "ignored", "foreseen"} {
		if tally[what] == 0 && sequences > 100 {
			t.Errorf("never seen: %s", what)
		}
	}
}

// Negative control: a server that makes moves in one piece, and one that carries remainders over to the next move, are
// found soon.
func TestServersThatPartMovesOtherwiseAreFound(t *testing.T) {
	var account time.Duration
	for name, server := range map[string]func(s *pose, in stick, d time.Duration){
		"in one piece": drive,
		"carries over": func(s *pose, in stick, d time.Duration) {
			for account += d; account >= cadence; account -= cadence {
				drive(s, in, cadence)
			}
		},
	} {
		found := 0
		for seed := range uint64(100) {
			if account = 0; sequence(t, seed+1, server, map[string]int{}) != nil {
				found++
			}
		}
		if found < 20 {
			t.Errorf("%s: only %d of 100 sequences find it", name, found)
		}
	}
}

// call makes the call that four bytes stand for.
func (c *client) call(kind, a, b, d byte) {
	held := stick{Turn: int8(d), Throttle: int8(d >> 4)}
	switch kind % 4 {
	case 0:
		c.do(held, time.Duration(int8(b))*256*ms+time.Duration(a)*ms)
	case 1:
		c.play(predict.Move[stick]{Tick: predict.Tick(a) << (d & 24), Input: held, For: time.Duration(b) * ms})
	case 2:
		c.accept(predict.Update[pose]{
			Player: 3 + predict.Player(d>>7), Frame: predict.Frame(a), Acked: predict.Tick(b), State: pose{Parts: int64(d)},
		})
	case 3:
		c.rebuild()
	}
}

// FuzzPredictor takes any calls, with any numbers in them: moves, moves with ticks of their own, updates and rebuilds,
// four bytes each. Whatever comes, the predictor is as the naive model.
func FuzzPredictor(f *testing.F) {
	f.Add([]byte{0, 50, 0, 1, 0, 120, 0, 2, 2, 1, 1, 9, 3, 0, 0, 0})
	f.Add([]byte{0, 0, 0, 0, 0, 10, 0, 0, 0, 255, 255, 3, 2, 5, 0, 0, 2, 5, 200, 0, 2, 4, 0, 0})
	f.Add([]byte{1, 9, 50, 0, 1, 9, 50, 0, 1, 3, 50, 0, 2, 1, 9, 255, 2, 2, 8, 0})
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) > 4*200 {
			return
		}
		c := newClient(t, 5)
		for ; len(script) >= 4; script = script[4:] {
			c.call(script[0], script[1], script[2], script[3])
		}
	})
}
