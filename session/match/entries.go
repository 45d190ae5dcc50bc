package match

import (
	"slices"

	"github.com/tickback/tickback/session/stream"
)

// entries are the newest entries of the membership log, in the form shown to the application.
type entries struct {
	list    []stream.Entry
	changes uint64 // number of all entries of the match
}

// MaxEntries is the maximum number of entries kept.
const MaxEntries = 256

func (h *entries) note(kind stream.EntryKind, players PlayerSet, f Frame) {
	h.changes++
	if len(h.list) == MaxEntries {
		h.list = append(h.list[:0], h.list[1:]...)
	}
	h.list = append(h.list, stream.Entry{Kind: kind, Players: players, Frame: f})
}

// before returns the entries that belong to a match of limit frames. A newcomer still needs the others.
func (h *entries) before(limit Frame) []stream.Entry {
	behind := func(e stream.Entry) bool { return e.Kind != stream.EntryEnd && e.Frame >= limit }
	if !slices.ContainsFunc(h.list, behind) {
		return h.list
	}
	return slices.DeleteFunc(slices.Clone(h.list), behind)
}
