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
// with the given size, and scalar returns the scalar at each offset.
func (r *Report) Compare(scalar func(offset int) canon.Scalar, size int, sides []Side) error {
	l := layout{scalar, size}
	sides = slices.SortedStableFunc(slices.Values(sides), func(a, b Side) int { return lowest(a.Players) - lowest(b.Players) })
	var groups []uint64
	var views []view
	var peers []Peer
	for _, s := range sides {
		if len(s.State) != size {
			return errSizes
		}
		h := xxh3.Hash(s.State)
		if groupOf(groups, h) == None {
			groups, views = append(groups, h), append(views, &plainView{l, s.State})
		}
		peers = append(peers, Peer{
			Players: s.Players, Machine: cutText(s.Machine, maxMachine), Group: groupOf(groups, h),
			Origin: Original, Base: r.State, Hash: h,
		})
	}
	if len(groups) < 2 {
		return errEqual
	}
	w := newWalk(l, views[0].depth(), slices.Repeat([]bool{true}, len(views)))
	told := make([][][]byte, len(views))
	for q, ok := w.next(); ok; q, ok = w.next() {
		for g, v := range views {
			told[g] = q.partsOf(v)
		}
		w.take(told)
	}
	r.Peers, r.Groups, r.Fields, r.Total, r.AtLeast = peers, groups, w.sorted(), w.total, w.atLeast
	return nil
}

// Retrace adds to a report the frames that led from a state that was equal on all sides to the first one that
// differs, and that state, as far as they fit. frame returns a frame, valid until the next call, or nil if it is
// not held.
func (r *Report) Retrace(first uint32, state []byte, frame func(n uint32) *agreed.Frame) {
	if !r.begin(first, state, frame) {
		r.retrace(max(first, r.State-min(r.State, framesTold)), frame)
	}
}

// begin adds a state and all frames from there on, if they fit.
func (r *Report) begin(first uint32, state []byte, frame func(n uint32) *agreed.Frame) bool {
	if first >= r.State || len(state) > maxState {
		return false
	}
	b, ok := encode(r.Shape, frame, first, r.State, maxInputs)
	if ok {
		r.First, r.Inputs, r.Begin = first, b, state
	}
	return ok
}

// retrace adds as many of the frames as fit, without a state before them. If not even the last one fits, there are none.
func (r *Report) retrace(first uint32, frame func(n uint32) *agreed.Frame) {
	for ok := false; !ok; first += (r.State - first + 1) / 2 {
		r.First = first
		r.Inputs, ok = encode(r.Shape, frame, first, r.State, maxInputs)
	}
}

// encode encodes the frames from one up to but not including another, independently of earlier frames. ok is false
// if they are not all held, or take more than most bytes.
func encode(s agreed.Shape, frame func(n uint32) *agreed.Frame, from, to uint32, most int) (b []byte, ok bool) {
	var w agreed.Writer
	w.Init(s)
	for n := from; n < to; n++ {
		f := frame(n)
		if f == nil {
			return nil, false
		}
		if b = w.Append(b, f); len(b) > most {
			return nil, false
		}
	}
	return b, true
}

// Bytes encodes a report, with as much of Data and as many fields as there is room for.
func (r *Report) Bytes() []byte {
	r.Whole = r.Whole && len(r.Data) <= maxData
	r.Data = r.Data[:min(len(r.Data), maxData)]
	for {
		b := r.Append(nil)
		if len(b) <= MaxReport || len(r.Fields) == 0 {
			return b
		}
		r.Fields, r.AtLeast = r.Fields[:len(r.Fields)-1], true
	}
}
