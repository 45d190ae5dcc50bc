package membership

import (
	"fmt"
	"slices"
	"time"
)

// local is one peer of the model: its core, and its view of the match. Once it is
// interned it does not change.
type local struct {
	core  *Core
	next  [maxPlayers]Frame
	floor Frame
	up    bool
	base  LogState  // where its log begins
	alone uint64    // slots that it has decided by itself, as one of two
	lost  PlayerSet // the peers that it has given up, since they violate the protocol

	before []LogState // each entry of its log: set when it is interned
}

// begin gives the peer a core for a log that has come to s.
func (l *local) begin(me PlayerSet, s LogState, cfg Config) {
	l.base, l.core = s, New(me, s, l, cfg)
}

// decides reports whether a message can be the last that is needed to know the entry of
// a slot.
func (m *message) decides(slot uint32) bool {
	return (m.what == tellChosen || m.what == tellAccepted) && m.slot == slot
}

// noteAlone notes which slots from the given one on the peer has just decided without
// the other one of two; told says that it learned the first one from a message.
func (l *local) noteAlone(slot uint32, told bool) {
	s := l.base
	for _, e := range l.core.log.kept {
		if s.Slot >= slot && s.Len() == 2 && !(told && s.Slot == slot) {
			l.alone |= 1 << s.Slot
		}
		if why := s.apply(e); why != "" {
			panic(why) // Core.learn has applied it
		}
	}
}

// cameAfter reports whether a player has joined by an entry after a slot.
func (l *local) cameAfter(p Player, slot uint32) bool {
	for k, e := range l.core.log.kept {
		if l.base.Slot+uint32(k) > slot && e.Kind == Join && e.Players.Has(p) {
			return true
		}
	}
	return false
}

// entry returns the entry of a slot, if the peer has learned it.
func (l *local) entry(slot uint32) (e Entry, ok bool) {
	if k := int(slot) - int(l.base.Slot); k >= 0 && k < len(l.core.log.kept) {
		return l.core.log.kept[k], true
	}
	return Entry{}, false
}

func (l *local) Next(p Player) Frame { return l.next[p] }
func (l *local) Floor() Frame        { return l.floor }

// clone returns a copy that shares nothing that changes.
func (l *local) clone() *local {
	n, c := *l, *l.core
	c.log.kept, c.log.unread, c.box = slices.Clone(c.log.kept), nil, outbox{sets: c.box.sets}
	c.claims.early = slices.Clone(c.claims.early)
	c.claims.by, c.claims.filled, c.synod.votes = slices.Clone(c.claims.by), slices.Clone(c.claims.filled), slices.Clone(c.synod.votes)
	n.core, c.guard.match = &c, &n
	return &n
}

// The model's time stands still: what waits for a time is an action of its own.
const modelAt = 20

func (l *local) poll() { l.core.Poll(0, modelAt) }

// encode writes everything that can affect the peer's later actions.
func (l *local) encode() []byte {
	c := l.core
	b := le.AppendUint64(l.base.Append(c.log.state.Append(nil, ofAll), ofAll), l.alone)
	b = appendTruth(append(b, byte(c.me), byte(c.role), byte(c.detector.silent), byte(c.detector.gone), byte(l.lost)), l.up)
	b = appendFrame(b, l.floor)
	for _, f := range l.next {
		b = appendFrame(b, f)
	}
	b = c.wishes.append(b, ofAll)
	for p, n := range c.newcomers.ready {
		b = n.append(b, ofAll)
		b = le.AppendUint32(b, c.log.since[p])
		var w early
		if c.claims.early != nil {
			w = c.claims.early[p]
		}
		b = le.AppendUint32(append(b, byte(w.from)), w.slot)
		b = w.claim.append(b, ofAll)
	}
	b = append(b, byte(len(c.log.kept)))
	for _, e := range c.log.kept {
		b = e.append(b, ofAll)
	}
	return c.encodeSlot(b)
}

func (c *Core) encodeSlot(b []byte) []byte {
	for p := range c.claims.by {
		b = c.claims.by[p].append(b, ofAll)
		for _, f := range c.claims.filled[p] {
			b = appendFrame(b, f)
		}
		b = c.synod.votes[p].encode(b)
	}
	b = c.claims.said.append(b, ofAll)
	b = appendTruth(append(b, byte(c.claims.heard), byte(c.guard.stopped), byte(c.guard.whole)), c.claims.told || c.asked)
	b = c.newcomers.gate.append(c.guard.gate.append(appendFrame(b, c.guard.gated), ofAll), ofAll)
	b = c.synod.accepted.encode(le.AppendUint64(b, uint64(c.synod.promised)))
	a := &c.synod.attempt
	b = a.best.encode(le.AppendUint64(append(b, byte(a.promises), byte(a.tries)), uint64(a.ballot)))
	b = a.value.append(appendTruth(le.AppendUint64(b, a.highest), a.sent), ofAll)
	return append(b, timer(a.retryAt), timer(c.detector.graceEnd), timer(c.synod.beginAt))
}

func (v *vote) encode(b []byte) []byte {
	b = le.AppendUint64(b, uint64(v.ballot))
	return v.entry.append(b, ofAll)
}

// timer is the relevant part of a time: there is none, it has come, or it is still to
// come.
func timer(t time.Duration) byte {
	switch {
	case t == Never:
		return 0
	case t <= 0:
		return 1
	}
	return 2
}

// sent is what a peer sends in one action: to which peers, and what.
type sent struct {
	to     PlayerSet
	packet string
}

// fillMark begins a packet that is a fill; all others are messages.
const fillMark = 0xFF

// drain takes what the peer has to send.
func (l *local) drain() (out []sent) {
	for to, b := range l.core.Outgoing() {
		if l.lost&to != 0 {
			continue
		}
		out = append(out, sent{to, string(b)})
	}
	for f := range l.core.Fills() {
		b := appendFrame(appendFrame([]byte{fillMark, byte(f.Player)}, f.From), f.End)
		out = append(out, sent{f.To, string(b)})
	}
	for _, e := range l.core.log.unread {
		if e.Kind == Join {
			for p := range e.Players.All() {
				l.next[p] = max(l.next[p], e.Frame) // its inputs begin there
			}
		}
	}
	l.core.log.unread = nil
	return out
}

// receive takes a packet.
func (l *local) receive(from PlayerSet, packet string) error {
	b := []byte(packet)
	if l.lost&from != 0 {
		return nil
	}
	if b[0] != fillMark {
		err := l.core.Receive(from, b)
		if err != nil {
			l.lost |= from
			l.core.MarkGone(from)
			l.poll()
		}
		return err
	}
	p, begin, end := Player(b[1]), Frame(le.Uint32(b[2:])), Frame(le.Uint32(b[6:]))
	if l.core.Takes(from, p) && begin <= l.next[p] && l.next[p] < end {
		l.next[p] = end
		l.poll()
	}
	return nil
}

// takes reports whether an input from the player itself may be taken.
func (l *local) takes(p Player, sent Frame) bool {
	return l.core.role == voting && l.core.log.state.All().Has(p) && !l.core.me.Has(p) && l.next[p] < min(sent, l.core.Limit(p))
}

// take takes an input from the player itself, if that is allowed.
func (l *local) take(p Player, sent Frame) bool {
	if !l.takes(p, sent) {
		return false
	}
	l.next[p]++
	l.poll()
	return true
}

// inert reports whether a packet does nothing here now, nor later.
func (l *local) inert(from PlayerSet, m *message) bool {
	if !l.up || l.core.role == removed || l.lost&from != 0 {
		return true
	}
	if m.what >= messages || l.core.role != voting {
		return false
	}
	e, kept := l.core.log.entry(m.slot)
	switch {
	case !kept || !l.core.log.state.Has(from):
		return false
	case m.what == tellClaim:
		return m.slot >= l.core.log.since[lowest(from)]
	}
	return m.what != tellChosen || m.entry == e
}

func (l *local) String() string {
	c := l.core
	return fmt.Sprintf("%v: slot %d, members %v, stopped %v, next %v", c.me, c.log.state.Slot, c.log.state.All(), c.guard.stopped, l.next[:4])
}
