package rollback

import (
	"fmt"

	"github.com/tickback/tickback/canon"
)

// Slots are capabilities of an [OwnMemory] that work on a slot without restoring it. They are for states that are too
// large to be walked, or to be hashed while they may still turn out wrong. Each is optional. Except for Release, they
// must not change the stored state.
type Slots[V any] struct {
	// Hash returns what [OwnMemory.Hash] would return for the stored state. With it, states are hashed when they are
	// agreed. Otherwise every state whose hash may be due is hashed, predicted or not.
	Hash func(slot *V) uint64
	// Marshal does for the stored state what [OwnMemory.Marshal] does for a live one; it requires [OwnMemory.Marshal].
	// Without it, the older state is restored into the live game to be encoded, and then the newer one is restored.
	Marshal func(b []byte, slot *V) ([]byte, error)
	// Size returns the approximate size of the stored state in bytes. Without it, all memory that can be reached from the
	// slot is walked.
	Size func(slot *V) int
	// Diff lists at most the given number of fields in which the state in a differs from the one in b, and counts all
	// of them. With it, a sync test does not describe states.
	Diff func(a, b *V, most int) canon.Report
	// Parts gives access to the parts of the stored state, so that two machines can find out where their states differ
	// without sending them. It is valid until the slot changes.
	Parts func(slot *V) Parts
	// Release frees memory that a slot holds and that is no longer needed. The slot can then be used like a zero
	// value. Without it, the slot is simply reused, or becomes garbage.
	Release func(slot *V)
}

// Parts is a state divided into a tree. The whole state is node 0 of level 0, and node n has 64 children, n*64 to
// n*64+63 of the next level. The nodes of level [PartLevels] are small, with at most a few fields. A field is in the
// same place in every state.
type Parts interface {
	// Digests sets the digests of the children of a node of a level below PartLevels. Empty children have digest 0.
	Digests(level int, node uint64, children *[64]uint64)
	// AppendText appends the fields in a node of level PartLevels: one line each, as
	// canon.AppendTextAny writes them, with a path that no other field has.
	AppendText(b []byte, node uint64) []byte
}

// PartLevels is the number of the lowest level of [Parts].
const PartLevels = 5

// release releases all slots.
func (m *own[S, V, I]) release() {
	m.clean = NoFrame
	if m.game.Slots.Release == nil {
		return
	}
	for i := range m.slots {
		m.game.Slots.Release(&m.slots[i])
	}
}

// drop releases a slot that is not in the ring.
func (g *OwnMemory[S, V, I]) drop(slot *V) {
	if g.Slots.Release != nil {
		g.Slots.Release(slot)
	}
}

// diff compares the stored state with the live one.
func (m *own[S, V, I]) diff(slot *V, most int) canon.Report {
	var live V
	m.game.Save(m.s, &live)
	defer m.game.drop(&live)
	return m.game.Slots.Diff(slot, &live, most)
}

// againstSlots compares an encoded state with the live one, which is unchanged afterwards.
func (m *own[S, V, I]) againstSlots(encoded []byte, most int) (canon.Report, error) {
	var live, other V
	m.game.Save(m.s, &live)
	defer m.game.drop(&live)
	if err := m.unmarshal(m.at, encoded); err != nil {
		return canon.Report{}, err
	}
	m.game.Save(m.s, &other)
	defer m.game.drop(&other)
	m.game.Restore(m.s, &live)
	return m.game.Slots.Diff(&other, &live, most), nil
}

// changedSince returns the report about a snapshot that has changed since it was saved. Only the hash of its earlier
// value is left.
func (m *own[S, V, I]) changedSince(f Frame) (canon.Report, bool) {
	if m.game.Slots.Hash == nil || !m.testing {
		return canon.Report{}, false
	}
	was, is := m.hashes[f%Frame(len(m.slots))], m.game.Slots.Hash(m.slot(f))
	if was == is {
		return canon.Report{}, false
	}
	return canon.Report{Total: 1, Differences: []canon.Difference{{Path: "(hash)", A: hashText(was), B: hashText(is)}}}, true
}

func hashText(h uint64) string { return fmt.Sprintf("%#016x", h) }
