package world

import (
	"errors"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// Game is a game whose state is a world of type W, as [New] makes it. Use its [Game.Definition] wherever a game is
// needed: in an engine, a session, a replay.
type Game[W any, I comparable] struct {
	// Init sets up state 0 in an empty world. It may do everything that a step may do.
	Init func(w *W)
	// Step advances the world by one frame. Nothing but the world and the tick may influence it, and it must not keep the
	// tick, nor anything from the world except entities.
	Step func(w *W, t *rollback.Tick[I])
	// Workers is the maximum number of goroutines that run a stage: 0 means one for each processor, and 1 only the
	// caller's. It does not influence the result.
	Workers int
	// Check returns an error if a decoded state is not valid; the state is then not loaded. Such a state comes from
	// another machine or a file, and its columns may hold any values. Without Check, all states are accepted. The world is
	// a view that may only be read, valid during the call. A check that takes long should call [Pause] from time to time.
	Check func(w *W) error

	// Predict, Effects and Players are as in [rollback.Game].
	Predict rollback.Predictor[I]
	Effects []effects.Declaration
	Players func(n int) error
}

// Definition returns the game as one with its own memory and all capabilities. Its slots are snapshots. The error is a
// [*canon.CheckError] as from [New], or says that a function is missing.
func (g Game[W, I]) Definition() (rollback.OwnMemory[W, *Snapshot, I], error) {
	none := rollback.OwnMemory[W, *Snapshot, I]{}
	if g.Init == nil || g.Step == nil {
		return none, errors.New("world: a Game needs Init and Step")
	}
	if _, err := New[W](); err != nil {
		return none, err
	}
	return rollback.OwnMemory[W, *Snapshot, I]{
		Init: g.init, Step: g.step,
		Save:    func(w *W, slot **Snapshot) { *slot = saveIn(w, *slot) },
		Restore: func(w *W, slot **Snapshot) { Restore(w, *slot) },
		Hash:    func(w *W) uint64 { return Hash(w) },
		//detlint:ignore copies phase, epoch and passed are about the call that runs now, and nothing of them outlasts a step
		Equal: func(w *W, slot **Snapshot) bool { return storeOf(w).equal(&(*slot).store) },
		//detlint:ignore copies phase, epoch and passed are about the call that runs now, and nothing of them outlasts a step
		Marshal:   func(b []byte, w *W) ([]byte, error) { return storeOf(w).append(b), nil },
		Unmarshal: g.load,
		Describe:  func(w *W) any { return describe(storeOf(w)) },
		New:       g.make,
		Pause:     func(w *W, pause func(work int)) { storeOf(w).pause = pause },
		Slots:     slots(),
		//detlint:ignore unproved what the game gives is examined where it is given to the game
		Predict: g.Predict, Effects: g.Effects, Players: g.Players,
	}, nil
}

// slots returns the functions that work on stored snapshots.
func slots() rollback.Slots[*Snapshot] {
	return rollback.Slots[*Snapshot]{
		Hash:    func(slot **Snapshot) uint64 { return (*slot).Hash() },
		Marshal: func(b []byte, slot **Snapshot) ([]byte, error) { return (*slot).Append(b), nil },
		Size:    func(slot **Snapshot) int { return (*slot).Bytes() },
		Diff:    func(a, b **Snapshot, most int) canon.Report { return Diff(*a, *b, most) },
		Parts:   func(slot **Snapshot) rollback.Parts { return partsOf(*slot) },
		Release: func(slot **Snapshot) {
			(*slot).Release()
			*slot = nil
		},
	}
}

func (g Game[W, I]) init(w *W) {
	s := storeOf(w)
	s.begin()
	defer s.leave()
	for _, p := range s.parts {
		p.reset()
	}
	g.Init(w)
	s.end()
}

func (g Game[W, I]) step(w *W, t *rollback.Tick[I]) {
	s := storeOf(w)
	s.begin()
	defer s.leave()
	g.Step(w, t)
	s.end()
}

// load is like [Load], but refuses states that the game's Check does not accept. The check runs before the world is
// changed, and like decoding, it can pause.
func (g Game[W, I]) load(w *W, encoded []byte) error {
	if g.Check == nil {
		return Load(w, encoded)
	}
	s := storeOf(w)
	s.between("Load")
	n, err := decodeFor(w, encoded)
	if err != nil {
		return err
	}
	defer n.Release()
	n.store.pause = s.pause
	defer func() { n.store.pause = nil }()
	//detlint:ignore unproved what the game gives is examined where it is given to the game
	if err := g.Check(ViewOf[W](n)); err != nil {
		return err
	}
	Restore(w, n)
	return nil
}

func (g Game[W, I]) make() *W {
	w, err := New[W]()
	if err != nil {
		panic(err) // cannot happen: Definition has already made such a world
	}
	SetWorkers(w, g.Workers)
	return w
}

// described is the form of a state in reports by code that does not know worlds: the digest of each part, by its path.
// A text with all values would take too long to make.
type described struct{ Parts map[string]uint64 }

func describe(s *store) described {
	d := described{map[string]uint64{}}
	for _, p := range s.parts {
		d.Parts[p.pathOf()] = digestOf(p)
	}
	return d
}
