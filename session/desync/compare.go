package desync

import (
	"errors"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/wire/agreed"
)

// Side is one machine's version of the first state that differs.
type Side struct {
	Players uint16 // bit p for player p
	Machine string // description of the machine
	State   []byte // the encoding of a plain state
}

// Errors of [Report.Compare].
var (
	errSizes = errors.New("desync: the states have other sizes than the game's")
	errEqual = errors.New("desync: the states are the same")
)

// Compare completes a report when one machine has the states of all sides, so that no other machine has to be
// queried: it fills in the peers, the groups and the fields that differ. The states are encodings of a plain state
// with the given size, and scalar returns the scalar at each offset. Data and fields are limited to what fits into
// an encoded report.
func (r *Report) Compare(scalar func(offset int) canon.Scalar, size int, sides []Side) error {
	l := &coordination{state: r.State}
	w := &l.walk
	*w = walk{scalar: scalar, form: formEncoded, size: uint32(size), depth: depthOf(formEncoded, uint32(size))}
	w.left[0] = []uint64{0}
	sides = slices.SortedStableFunc(slices.Values(sides), func(a, b Side) int { return lowest(a.Players) - lowest(b.Players) })
	members := make([]member, len(sides))
	var views []view
	for i, s := range sides {
		if len(s.State) != size {
			return errSizes
		}
		h := xxh3.Hash(s.State)
		if groupOf(l.groups, h) == None {
			l.groups, w.groups, views = append(l.groups, h), append(w.groups, &members[i]), append(views, &encodedView{s.State, scalar})
		}
		members[i] = member{players: s.Players, machine: cutText(s.Machine, maxMachine), entries: []uint64{h}}
		members[i].state = answer{source: Original, base: r.State, hash: h}
	}
	if len(l.groups) < 2 {
		return errEqual
	}
	for q, ok := w.next(); ok; q, ok = w.next() {
		for g, m := range w.groups {
			m.parts = answer{step: q.step}
			m.parts.look(views[g], &q)
		}
		w.take(&Investigation{coordination: l})
	}
	r.Peers = nil
	for i := range members {
		r.Peers = append(r.Peers, members[i].peerOf(l.groups, 0))
	}
	r.Groups, r.Fields, r.Total, r.AtLeast = l.groups, w.sorted(), w.total, w.atLeast
	r.Whole = r.Whole && len(r.Data) <= maxData
	r.Data = r.Data[:min(len(r.Data), maxData)]
	return nil
}

// Retrace adds to a report the frames that led from a state that was equal on all sides to the first one that
// differs, and that state, as far as they fit. frame returns a frame, valid until the next call, or nil if it is
// not held.
func (r *Report) Retrace(first uint32, state []byte, frame func(n uint32) *agreed.Frame) {
	e := Evidence{cfg: Config{Shape: r.Shape}, inputs: trace{first, r.State, frame}}
	e.snapshots.list = []snapshot{{first, state}}
	e.tell(r)
}

// Bytes encodes a report, with as many fields as fit into [MaxReport].
func (r *Report) Bytes() []byte { return r.fit() }

// trace implements [Inputs] for some frames.
type trace struct {
	first, next uint32
	frame       func(n uint32) *agreed.Frame
}

func (t trace) First() uint32                { return t.first }
func (t trace) Next() uint32                 { return t.next }
func (t trace) Frame(n uint32) *agreed.Frame { return t.frame(n) }
func (t trace) Forget(uint32)                {}
func (t trace) Freeze()                      {}
