package replay_test

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

var faults = flag.Int("faults", 200, "how many random matches of two builds are searched for their fault")

// fault is a change of a field in one frame. The bisection knows nothing else about
// it.
type fault struct {
	frame uint32
	path  string
}

// inject changes one field of a state, at random, to a value that reads differently.
func inject[S any](r *rand.Rand, s *S) (path string) {
	p := must(canon.PlanFor[S]())
	for {
		before := p.Append(nil, s)
		b := append([]byte(nil), before...)
		bit := r.IntN(8 * len(b))
		b[bit/8] ^= 1 << (bit % 8)
		scalar := p.ScalarAt(bit / 8)
		text := func(b []byte) string {
			return string(scalar.AppendText(nil, b[scalar.Offset:scalar.Offset+scalar.Len]))
		}
		if text(before) != text(b) && p.Decode(s, b) == nil {
			return scalar.Path
		}
	}
}

// faulty is a random match, and a build of its game with a fault.
func faulty(r *rand.Rand, n int) (m match, other replay.Game, f *fault) {
	f = &fault{}
	frames := 50 + r.Uint32N(2500)
	f.frame = r.Uint32N(frames)
	seed := r.Uint64()
	// A build is deterministic: its fault is the same each time.
	draw := func() *rand.Rand { return rand.New(rand.NewPCG(seed, 9)) }
	switch n % 4 {
	case 0:
		m = duelMatch(frames)
		other = duelGame(func(s *duel.State, t *rollback.Tick[duel.Input]) {
			if uint32(t.Frame()) == f.frame {
				f.path = inject(draw(), s)
			}
		})
	case 1:
		m = arenaMatch(min(frames, 1000))
		f.frame %= m.frames
		other = arenaGame(func(s *arena.State, t *rollback.Tick[arena.Input]) {
			if uint32(t.Frame()) == f.frame {
				f.path = inject(draw(), s)
			}
		})
	case 2:
		m = worldMatch(frames)
		other = worldGame(wrong(stepWorld, f.frame, func(w *world) { f.path = inject(draw(), w) }))
	default:
		m = worldMatch(frames)
		describe := func(g *rollback.OwnMemory[heap, world, keys]) { g.Describe = func(h *heap) any { return *h.w } }
		m.game = heapGame(nil, describe)
		other = heapGame(wrong(stepWorld, f.frame, func(w *world) { f.path = inject(draw(), w) }), func(g *rollback.OwnMemory[heap, world, keys]) {
			describe(g)
			if r.IntN(2) == 0 {
				noMarshal(g)
			}
		})
	}
	m.seed = seed
	return m, other, f
}

func arenaMatch(frames uint32) match {
	m := duelMatch(frames)
	m.game = arenaGame(nil)
	m.header.Game, m.header.Shape.Players, m.header.Shape.InputSize = "arena", 4, 3
	m.play = func(r *rand.Rand, f *agreed.Frame) {
		for p := range 4 {
			if r.IntN(6) == 0 {
				f.Inputs[3*p], f.Inputs[3*p+1], f.Inputs[3*p+2] = byte(r.IntN(256)), byte(r.IntN(256)), byte(r.IntN(8))
			}
		}
	}
	return m
}

// Rule: if two builds differ by one fault, in a random field in a random frame of a
// random match, the exact frame and field are found, every time. Half of the time the
// other build is at the end of a pipe.
func TestTheFaultOfABuildIsFound(t *testing.T) {
	matches := *faults
	if testing.Short() {
		matches = 24
	}
	for n := range matches {
		r := rand.New(rand.NewPCG(uint64(n), 4711))
		m, other, f := faulty(r, n)
		file := open(t, record(t, m))
		a, b := must(replay.Local(file, m.game)), must(replay.Local(file, other))
		if n%8 >= 4 {
			b = piped(t, b)
		}
		s, err := replay.BisectBuilds(t.Context(), a, b, 10, nil)
		if err != nil {
			t.Fatalf("match %d: %v", n, err)
		}
		if !s.Found || !s.Step || s.State != f.frame+1 || s.HashA == s.HashB {
			t.Fatalf("match %d: %+v, but the fault is in frame %d", n, s, f.frame)
		}
		if s.Fields.Total != 1 || s.Fields.Differences[0].Path != f.path {
			t.Fatalf("match %d: the fields are %v, but the fault is in %s", n, s.Fields, f.path)
		}
	}
}

// piped puts a build at the other end of a pipe.
func piped(t *testing.T, b replay.Build) replay.Build {
	t.Helper()
	theirs, questions := io.Pipe()
	answers, ours := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- replay.Serve(t.Context(), b, theirs, ours) }()
	t.Cleanup(func() {
		questions.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	attached, err := replay.Attach(questions, answers)
	if err != nil {
		t.Fatal(err)
	}
	return attached
}

// Identical builds have no split; all frames were examined.
func TestTheSameBuildHasNoSplit(t *testing.T) {
	for _, first := range []uint32{0, 77} {
		m := worldMatch(3000)
		m.header.First = first
		file := open(t, record(t, m))
		heard := uint32(0)
		s, err := replay.BisectBuilds(t.Context(), must(replay.Local(file, m.game)), piped(t, must(replay.Local(file, m.game))), 10,
			func(n uint32) { heard = n })
		if err != nil || s.Found || s.Frames != 3000 || heard != 3000 || s.ResultA != s.ResultB {
			t.Errorf("from frame %d on: %+v, %v, heard of %d", first, s, err, heard)
		}
	}
}

// A difference in state 0 is reported without a step; fields that only one build has
// are missing in the other.
func TestBuildsThatBeginDifferently(t *testing.T) {
	type older struct {
		Sum   uint64
		Score [4]int32
		Old   uint8
	}
	g := must(replay.Of("world", "old", rollback.Game[older, keys]{Step: func(*older, *rollback.Tick[keys]) {}}, nil))
	m := worldMatch(10)
	file := open(t, record(t, m))
	s, err := replay.BisectBuilds(t.Context(), must(replay.Local(file, m.game)), must(replay.Local(file, g)), 10, nil)
	want := "Sum: 7 != 0\nAway: 0 != (missing)\nKind: calm != (missing)\nOld: (missing) != 0"
	if err != nil || !s.Found || s.Step || s.State != 0 || s.Fields.String() != want {
		t.Errorf("%+v, %v", s, err)
	}
}

// A build that panics, or is not a build at all, is an error that says so.
func TestWhatIsNoBuild(t *testing.T) {
	m := worldMatch(100)
	file := open(t, record(t, m))
	crash := must(replay.Local(file, worldGame(wrong(stepWorld, 50, func(*world) { panic("out of fuel") }))))
	_, err := replay.BisectBuilds(t.Context(), must(replay.Local(file, m.game)), piped(t, crash), 10, nil)
	var theirs *replay.BuildError
	if !errors.As(err, &theirs) || !strings.HasPrefix(theirs.Text, "frame 50: the game panicked: out of fuel (") {
		t.Errorf("a panic of the other build: %v", err)
	}
	for _, says := range []string{
		"", "hello\n", "{}\n", `{"version":2,"about":{}}` + "\n", `{"version":1}` + "\n", "[1", `{"version":1,"about":{"first":9,"next":3}}` + "\n",
	} {
		if _, err := replay.Attach(io.Discard, strings.NewReader(says)); !errors.Is(err, replay.ErrConversation) {
			t.Errorf("%q: %v", says, err)
		}
	}
	other := worldMatch(99)
	short := must(replay.Local(open(t, record(t, other)), m.game))
	if _, err := replay.BisectBuilds(t.Context(), must(replay.Local(file, m.game)), short, 10, nil); !errors.Is(err, replay.ErrOtherRecording) {
		t.Errorf("another recording: %v", err)
	}
}

// Rule: another build that contradicts itself is an error, never a wrong answer.
func TestABuildThatContradictsItself(t *testing.T) {
	m := worldMatch(100)
	file := open(t, record(t, m))
	answers := func(lines ...string) io.Reader {
		about := fmt.Sprintf(`{"version":1,"about":{"game":"world","build":"x","first":0,"next":%d}}`, m.frames)
		return strings.NewReader(strings.Join(append([]string{about}, lines...), "\n") + "\n")
	}
	for name, r := range map[string]io.Reader{
		"a chain, and no hashes":       answers(`{"chain":1}`, `{}`),
		"a chain, and the same hashes": answers(`{"chain":1}`, fmt.Sprintf(`{"hashes":[%d]}`, worldPlan.Hash(&world{Sum: 7}))),
		"many hashes":                  answers(`{"chain":1}`, `{"hashes":[1,2,3]}`),
		"no state":                     answers(`{"chain":1}`, `{"hashes":[1]}`, `{}`),
		"another state":                answers(`{"chain":1}`, `{"hashes":[1]}`, `{"view":{"hash":2}}`),
		"nothing more":                 answers(),
		"an endless line":              io.MultiReader(answers(), &endless{n: 1 << 20}),
	} {
		b, err := replay.Attach(io.Discard, r)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if s, err := replay.BisectBuilds(t.Context(), must(replay.Local(file, m.game)), b, 10, nil); err == nil {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

type endless struct{ n int }

func (e *endless) Read(p []byte) (int, error) {
	if e.n -= len(p); e.n < 0 {
		return 0, io.EOF
	}
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// The queries may be anything: each line has an answer, or ends the conversation.
func FuzzServe(f *testing.F) {
	f.Add(`{"ask":"about"}` + "\n" + `{"ask":"advance","to":5}` + "\n" + `{"ask":"state","to":2}` + "\n" + `{"ask":"hashes"}` + "\n")
	f.Add(`{"ask":"advance","to":4294967295}` + "\n" + `{"ask":"state","to":0}` + "\n" + `{"ask":"result"}` + "\n{\n")
	m := worldMatch(40)
	file := record(f, m)
	f.Fuzz(func(t *testing.T, questions string) {
		b := must(replay.Local(open(t, file), m.game))
		var answers strings.Builder
		err := replay.Serve(t.Context(), b, strings.NewReader(questions), &answers)
		lines := bufio.NewScanner(strings.NewReader(answers.String()))
		n := 0
		for lines.Scan() {
			n++
		}
		if asked := strings.Count(questions, "\n"); err == nil && n < asked {
			t.Errorf("%d answers to %d questions", n, asked)
		}
	})
}

// The answers may be anything.
func FuzzAttach(f *testing.F) {
	f.Add(`{"version":1,"about":{"game":"world","build":"x","first":0,"next":40}}` + "\n" + `{"chain":1}` + "\n" + `{"hashes":[1]}` + "\n" + `{"view":{"hash":1,"text":"QTogMQo="}}` + "\n")
	m := worldMatch(40)
	file := record(f, m)
	f.Fuzz(func(t *testing.T, answers string) {
		b, err := replay.Attach(io.Discard, strings.NewReader(answers))
		if err != nil {
			return
		}
		s, err := replay.BisectBuilds(t.Context(), must(replay.Local(open(t, file), m.game)), b, 10, nil)
		if err == nil && s.Found && s.State > m.frames {
			t.Errorf("%+v", s)
		}
	})
}
