package membership

// keep is how many decided entries are kept for peers that are behind.
const keep = 64

// entryLog is the log as far as this peer knows it.
type entryLog struct {
	state  LogState
	kept   []Entry            // at most keep; the last one is that of slot state.Slot-1
	unread []Entry            // those that next has not returned yet
	since  [maxPlayers]uint32 // the slot in which the member of each seat joined
}

// append appends a decided entry, which fits.
func (l *entryLog) append(e Entry) {
	l.state.apply(e)
	if len(l.kept) == keep {
		l.kept = l.kept[:copy(l.kept, l.kept[1:])]
	}
	l.kept, l.unread = append(l.kept, e), append(l.unread, e)
	if e.Kind == Join {
		l.since[lowest(e.Players)] = l.state.Slot
	}
}

// next returns the next entry that it has not returned yet.
func (l *entryLog) next() (Entry, bool) {
	if len(l.unread) == 0 {
		return Entry{}, false
	}
	e := l.unread[0]
	l.unread = l.unread[:copy(l.unread, l.unread[1:])]
	return e, true
}

// entry returns the entry of a slot, if it is still kept.
func (l *entryLog) entry(slot uint32) (Entry, bool) {
	back := l.state.Slot - slot
	if slot >= l.state.Slot || back > uint32(len(l.kept)) {
		return Entry{}, false
	}
	return l.kept[len(l.kept)-int(back)], true
}
