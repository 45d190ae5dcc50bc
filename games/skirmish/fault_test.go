package skirmish

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/desync"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/world"
)

var seedFlag = flag.Uint64("skirmish.seed", 0, "the seed of the random tests; 0: one of each test's own")

// random returns a generator, and prints its seed if the test fails.
func random(t testing.TB, own uint64) *rand.Rand {
	t.Helper()
	seed := own
	if *seedFlag != 0 {
		seed = *seedFlag
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("again with -skirmish.seed=%d", seed)
		}
	})
	return rand.New(rand.NewPCG(seed, 1))
}

// suspect is a machine that has kept state 1 of a match.
type suspect struct {
	*desync.Investigation
	evidence desync.Evidence
	game     Definition
	waiting  []letter // that it has sent
}

type letter struct {
	kind desync.Kind
	body []byte
}

func (s *suspect) Scalar() (func(offset int) canon.Scalar, int) { return nil, 0 }

func (s *suspect) Sandbox() (desync.Sandbox, error) {
	b, err := rollback.NewBlankSandbox(s.game, 2)
	return sandbox{b}, err
}

// sandbox fails the test if an inquiry into a held state calls a method that it does not need.
type sandbox struct {
	*rollback.Sandbox[World, Input]
}

func (sandbox) Step(*agreed.Frame) error { return errors.New("a frame is simulated") }
func (sandbox) Text() ([]byte, error)    { return nil, errors.New("a text of the whole state is made") }

// noInputs has no inputs of any frame.
type noInputs struct{}

func (noInputs) First() uint32              { return 0 }
func (noInputs) Next() uint32               { return 0 }
func (noInputs) Frame(uint32) *agreed.Frame { return nil }
func (noInputs) Forget(uint32)              {}
func (noInputs) Freeze()                    {}

// newSuspects returns two machines that exchange their messages.
func newSuspects(t testing.TB, game Definition) (s [2]*suspect) {
	t.Helper()
	for i := range s {
		s[i] = &suspect{game: game}
		s[i].evidence.Init(desync.Config{Shape: agreed.Shape{Players: 2}, HashEvery: 1, Every: 1, Budget: 64 << 20, Marshals: true}, noInputs{})
		s[i].Investigation = desync.New(desync.Setup{
			Own: 1 << i, Peers: []uint16{1 << (1 - i)}, Game: s[i], Evidence: &s[i].evidence,
			Send: func(_ int, kind desync.Kind, body []byte) {
				s[i].waiting = append(s[i].waiting, letter{kind, append([]byte(nil), body...)})
			},
			Ready:  func(int) bool { return true },
			Period: time.Millisecond, Patience: time.Second,
		})
	}
	return s
}

// explain makes two machines find out how their states differ, and returns the report, and how many bytes of queries
// and answers they have sent.
func explain(t testing.TB, s [2]*suspect, hashes [2]uint64, states [2][]byte) (r *desync.Report, bytes int) {
	t.Helper()
	for i := range s {
		s[i].evidence.Reset()
		s[i].Begin(desync.Report{Game: ID, Match: 1, TickRate: TicksPerSecond})
		s[i].evidence.Hash(1, hashes[i])
		s[i].evidence.Keep(1, states[i])
		s[i].Suspect(1, 0)
	}
	for now := time.Duration(0); s[0].Report() == nil || s[1].Report() == nil; now += time.Millisecond {
		if now > time.Second {
			t.Fatal("there is no report")
		}
		for i := range s {
			s[i].Update(now)
			for _, l := range s[i].waiting {
				if l.kind == desync.Ask || l.kind == desync.Answer {
					bytes += len(l.body)
				}
				if err := s[1-i].Receive(0, l.kind, l.body, now); err != nil {
					t.Fatal(err)
				}
			}
			s[i].waiting = s[i].waiting[:0]
		}
	}
	r, err := desync.Decode(s[0].Report())
	if err != nil {
		t.Fatal(err)
	}
	return r, bytes
}

// spoil changes one field of the world, and returns its path.
func spoil(w *World, r *rand.Rand) (path string) {
	row := r.IntN(w.Units.Len())
	for w.Units.At(row) == 0 {
		row = r.IntN(w.Units.Len())
	}
	shot := 0
	for w.Shots.At(shot) == 0 {
		shot++
	}
	u, b := w.Units.At(row), w.Buildings.At(0)
	of := func(what string) string { return fmt.Sprintf("Units#%d.%s", row, what) }
	world.Update(w, func(w *World) {
		switch r.IntN(16) {
		case 0:
			v, _ := w.Units.Pos.Get(u)
			v.X ^= 1 << r.IntN(8)
			w.Units.Pos.Set(u, v)
			path = of("Pos.X")
		case 1:
			v, _ := w.Units.Vel.Get(u)
			v.Y++
			w.Units.Vel.Set(u, v)
			path = of("Vel.Y")
		case 2:
			v, _ := w.Units.Health.Get(u)
			w.Units.Health.Set(u, v-1)
			path = of("Health")
		case 3:
			v, _ := w.Units.Who.Get(u)
			v.Groups ^= 1 << r.IntN(Groups) // Unmarshal refuses other values
			w.Units.Who.Set(u, v)
			path = of("Who.Groups")
		case 4:
			v, _ := w.Units.Who.Get(u)
			v.Side ^= 1
			w.Units.Who.Set(u, v)
			path = of("Who.Side")
		case 5:
			v, _ := w.Units.Task.Get(u)
			v.Goal.Y ^= 1 << r.IntN(16)
			w.Units.Task.Set(u, v)
			path = of("Task.Goal.Y")
		case 6:
			v, _ := w.Units.Task.Get(u)
			v.Stuck++
			w.Units.Task.Set(u, v)
			path = of("Task.Stuck")
		case 7:
			v, _ := w.Units.Aim.Get(u)
			v.Target ^= 1
			w.Units.Aim.Set(u, v)
			path = of("Aim.Target")
		case 8:
			v, _ := w.Units.Aim.Get(u)
			v.Cooldown++
			w.Units.Aim.Set(u, v)
			path = of("Aim.Cooldown")
		case 9:
			v, _ := w.Shots.Load.Get(w.Shots.At(shot))
			v.Left++
			w.Shots.Load.Set(w.Shots.At(shot), v)
			path = fmt.Sprintf("Shots#%d.Load.Left", shot)
		case 10:
			v, _ := w.Buildings.Health.Get(b)
			w.Buildings.Health.Set(b, v+1)
			path = "Buildings#0.Health"
		case 11:
			w.Match.Write().Rng.S1 ^= 1
			path = "Match.Rng.S1"
		case 12:
			w.Sides.Write()[1].Gold++
			path = "Sides[1].Gold"
		case 13:
			x, y := r.IntN(256), r.IntN(256)
			w.Ground.Set(x, y, w.Ground.At(x, y)^1)
			path = fmt.Sprintf("Ground[%d,%d]", x, y)
		case 14:
			x, y := r.IntN(256), r.IntN(256)
			w.Costs.Set(x, y, w.Costs.At(x, y)+1)
			path = fmt.Sprintf("Costs[%d,%d]", x, y)
		case 15:
			way := r.IntN(MaxPaths)
			w.Paths.Write().Ways[way].Ticket++
			path = fmt.Sprintf("Paths.Ways[%d].Ticket", way)
		}
	})
	return path
}

// Rule: each of 1,000 faults of one field, in a battle of 10,000 units, is reported with its entity and field and both
// values, and nothing else is reported. For that, two machines send each other at most 16 KB of digests and pages,
// simulate nothing that they still hold, and make no text of the whole state.
func TestFaultsAreNamed(t *testing.T) {
	faults := 1000
	if testing.Short() {
		faults = 20
	}
	r := random(t, 1)
	f := newFight(t, 1)
	clean, err := f.stepper.Hash()
	if err != nil {
		t.Fatal(err)
	}
	machines, most := newSuspects(t, f.game), 0
	var encoded []byte
	before := world.Save(f.world())
	for range faults {
		path := spoil(f.world(), r)
		hash := world.Hash(f.world())
		if encoded, err = f.stepper.Marshal(encoded[:0]); err != nil {
			t.Fatal(err)
		}
		report, bytes := explain(t, machines, [2]uint64{clean, hash}, [2][]byte{f.state, encoded})
		if len(report.Fields) != 1 || report.Total != 1 || report.AtLeast || report.Fields[0].Path != path || report.State != 1 {
			t.Fatalf("a fault in %s is reported as %+v", path, report)
		}
		if v := report.Fields[0].Values; len(v) != 2 || v[0] == v[1] || v[0].Kind != desync.Present || v[1].Kind != desync.Present {
			t.Fatalf("%s has the values %v", path, v)
		}
		most = max(most, bytes)
		world.Restore(f.world(), before)
	}
	t.Logf("at most %d bytes for one fault, of %d units", most, f.world().Units.Len())
	if most > 16<<10 {
		t.Errorf("%d bytes are sent for one fault", most)
	}
}
