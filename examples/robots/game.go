package robots

import (
	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// Game returns the game with this seed, for 2 to [MaxPlayers] players. It has every
// capability. The result of a match is the winner's number + 1.
//
// Orders are programs: give the match a Config.MaxOrders of [MaxProgram].
func Game(seed uint64) rollback.OwnMemory[World, Snapshot, Action] {
	return rollback.OwnMemory[World, Snapshot, Action]{
		Init: func(w *World) { w.reset(seed) },
		Step: (*World).step,
		New: func() *World {
			w := new(World)
			w.reset(seed)
			return w
		},

		Save:    (*World).save,
		Restore: (*World).restore,

		Hash:      (*World).hash,
		Equal:     (*World).equal,
		Marshal:   marshal,
		Unmarshal: (*World).unmarshal,
		Describe:  (*World).describe,

		Effects: []effects.Declaration{Fired, Exploded, Destroyed, Smoking, Over},
	}
}

// imageNow returns the image of the current state, in memory of the world. It is valid until the next call.
func (w *World) imageNow() *Snapshot {
	w.save(&w.image)
	return &w.image
}

// hash returns the hash of the encoding: everything that is encoded is hashed, and the order of maps is
// handled in one place.
func (w *World) hash() uint64 {
	w.bytes = w.imageNow().append(w.bytes[:0], &w.cells)
	return canon.HashBytes(w.bytes)
}

func (w *World) equal(s *Snapshot) bool { return w.imageNow().equal(s) }

func marshal(b []byte, w *World) ([]byte, error) {
	return w.imageNow().append(b, &w.cells), nil
}

// unmarshal decodes into an image first: the world does not change before everything has been checked.
func (w *World) unmarshal(encoded []byte) error {
	if err := w.image.decode(encoded); err != nil {
		return err
	}
	w.restore(&w.image)
	return nil
}

// describe returns the image of the state: DiffAny then says Robots[1].VM.Stack[2], and an index reads better
// than "as at Robots[0].Next #3".
func (w *World) describe() any {
	s := new(Snapshot)
	w.save(s)
	return s
}

// serial returns where the newest id is kept.
func (w *World) serial() *uint32 {
	if w.ported {
		return &lastID //detlint:ignore globals the ported game keeps its global on purpose, and saves it with the state
	}
	return &w.LastID
}

// newID returns the next id.
func (w *World) newID() uint32 {
	id := w.serial()
	*id++ //detlint:ignore globals the ported game keeps its global on purpose, and saves it with the state
	return *id
}
