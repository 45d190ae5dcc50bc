package predict_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/predict"
)

// FuzzPredictor takes any calls, with any numbers in them: moves, moves with ticks of
// their own, updates and rebuilds, four bytes each. Whatever comes, the predicted
// state is the base moved by what is pending, what is pending is in order and within
// the room, and an error changes nothing.
func FuzzPredictor(f *testing.F) {
	f.Add([]byte{0, 50, 0, 1, 0, 120, 0, 2, 2, 1, 1, 9, 3, 0, 0, 0})
	f.Add([]byte{0, 0, 0, 0, 0, 10, 0, 0, 0, 255, 255, 3, 2, 5, 0, 0, 2, 5, 200, 0, 2, 4, 0, 0})
	f.Add([]byte{1, 9, 50, 0, 1, 9, 50, 0, 1, 3, 50, 0, 2, 1, 9, 255, 2, 2, 8, 0})
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) > 4*200 {
			return
		}
		p := newClient(t, 5)
		for ; len(script) >= 4; script = script[4:] {
			before := snapshot(p)
			if err := call(p, script[0], script[1], script[2], script[3]); err != nil {
				if after := snapshot(p); !before.equal(after) {
					t.Fatalf("%v has changed %+v to %+v", err, before, after)
				}
			}
			checkInside(t, p)
		}
	})
}

// call makes the call that four bytes stand for.
func call(p *predict.Predictor[pose, stick], kind, a, b, c byte) error {
	held := stick{Turn: int8(c), Throttle: int8(c >> 4)}
	switch kind % 4 {
	case 0:
		_, err := p.Do(held, time.Duration(int8(b))*256*ms+time.Duration(a)*ms)
		return err
	case 1:
		return p.Play(predict.Move[stick]{Tick: predict.Tick(a) << (c & 24), Input: held, For: time.Duration(b) * ms})
	case 2:
		_, err := p.Accept(&predict.Update[pose]{
			Player: 3 + predict.Player(c>>7), Frame: predict.Frame(a), Acked: predict.Tick(b), State: pose{Parts: int64(c)},
		})
		return err
	}
	p.Rebuild()
	return nil
}

// inside is what can be seen of a predictor.
type inside struct {
	base, now     pose
	newest, acked predict.Tick
	moves         []predict.Move[stick]
}

func snapshot(p *predict.Predictor[pose, stick]) inside {
	return inside{*p.Base(), *p.State(), p.Newest(), p.Acked(), slices.Collect(p.Pending())}
}

func (i inside) equal(o inside) bool {
	return i.base == o.base && i.now == o.now && i.newest == o.newest && i.acked == o.acked && slices.Equal(i.moves, o.moves)
}

func checkInside(t *testing.T, p *predict.Predictor[pose, stick]) {
	t.Helper()
	expected, last := *p.Base(), p.Acked()
	for m := range p.Pending() {
		if m.Tick <= last || m.Tick > p.Newest() {
			t.Fatalf("tick %d after %d, and the newest is %d", m.Tick, last, p.Newest())
		}
		last = m.Tick
		expected = naive(expected, m.Input, m.For)
	}
	if *p.State() != expected || p.Len() > 5 {
		t.Fatalf("%v with %d pending, want %v", *p.State(), p.Len(), expected)
	}
}

// FuzzSubsteps takes any durations: the parts add up, each but the last is a whole
// cadence, and none is empty.
func FuzzSubsteps(f *testing.F) {
	f.Add(int64(150*ms), int64(cadence))
	f.Add(int64(120*ms), int64(cadence))
	f.Add(int64(-1), int64(1))
	f.Add(int64(1<<63-1), int64(1<<62))
	f.Fuzz(func(t *testing.T, d, c int64) {
		if c <= 0 || d/c > 1000 {
			return
		}
		list := slices.Collect(predict.Substeps(time.Duration(d), time.Duration(c)))
		sum := time.Duration(0)
		for i, part := range list {
			if part <= 0 || part > time.Duration(c) || i < len(list)-1 && part != time.Duration(c) {
				t.Fatalf("%d in parts of %d: %v", d, c, list)
			}
			sum += part
		}
		if sum != time.Duration(max(d, 0)) {
			t.Fatalf("%d in parts of %d: %v", d, c, list)
		}
	})
}

// What the fuzzer refuses is refused for a reason that has a name.
func TestEveryRefusalHasAName(t *testing.T) {
	random, p := rand.New(rand.NewPCG(1, 1)), newClient(t, 2)
	named := []error{predict.ErrDuration, predict.ErrOrder, predict.ErrFull, predict.ErrPlayer, predict.ErrFuture, predict.ErrAckBack}
	seen := map[error]bool{}
	for i := range 1 << 14 {
		if i%32 == 0 {
			p = newClient(t, 2)
		}
		word := random.Uint32()
		err := call(p, byte(word), byte(word>>8), byte(word>>16), byte(word>>24))
		if err == nil {
			continue
		}
		at := slices.IndexFunc(named, func(n error) bool { return errors.Is(err, n) })
		if at < 0 {
			t.Fatal(err)
		}
		seen[named[at]] = true
	}
	want(t, "kinds of refusals", len(seen), len(named))
}
