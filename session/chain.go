package session

import (
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// Health says whether the peers of a match have been in the same states.
type Health uint8

const (
	// Unverified: nothing has been compared yet, or with not all peers.
	Unverified Health = iota
	// Healthy: everything that was compared was equal.
	Healthy
	// Desynced: a peer had another state than we. It stays so.
	Desynced
)

var healthNames = [...]string{"unverified", "healthy", "desynced"}

// String names the health in lower case.
func (h Health) String() string {
	if int(h) < len(healthNames) {
		return healthNames[h]
	}
	return "unknown"
}

// Health returns the verdict so far.
func (m *Machine) Health() Health { return m.chain.health }

// chain folds the hashes of all agreed states into one value, so that a
// difference stays visible, even if it heals itself.
type chain struct {
	value  uint64
	last   uint64                // the newest hash,
	hashed Frame                 // of this state
	links  [chainLinks]chainLink // by the number of the interval, in a ring
	health Health
}

// chainLinks is how many compared values are kept. With the shortest interval of
// one frame they still reach as far back as a peer can be behind.
const chainLinks = 256

// chainLink is the value of the chain at a frame.
type chainLink struct {
	frame Frame
	value uint64
}

// theirChain is what a peer has told, and we could not compare yet.
type theirChain struct {
	told     Frame // of the newest
	pending  []chainLink
	compared bool
	equal    Frame // the newest state that was compared and the same
}

// record adds an agreed frame to the chain.
func (m *Machine) record(a agreedFrame) {
	c, f := &m.chain, a.frame+1
	if m.read = f; m.tape.on() {
		m.tape.frame(a.encoded, a.hash, a.hashed)
	}
	if m.joining != nil && !m.joining.marked {
		return // not all that is folded is known
	}
	if a.hashed {
		c.value, c.last, c.hashed = agreed.AppendChain(c.value, a.hash, uint32(f)), a.hash, f
		if m.evidence.On() {
			m.evidence.Hash(uint32(f), a.hash)
		}
	}
	m.match.complete = a.last || f == m.match.limit
	m.show(&a)
	if m.core == nil || m.observing() || c.hashed == 0 || f%Frame(m.cfg.ChainEvery) != 0 {
		return
	}
	c.links[f/Frame(m.cfg.ChainEvery)%chainLinks] = chainLink{f, c.value}
	for _, l := range m.links {
		if l.state == connected && f > l.chainFrom {
			b := le.AppendUint32(m.begins(messageChain), uint32(f))
			m.post(l, le.AppendUint64(b, c.value))
		}
		m.compareChain(l)
	}
}

// receiveChain is the value of a peer's chain.
func (m *Machine) receiveChain(l *link, b []byte) error {
	if len(b) != 12 {
		return datagram.ErrShort
	}
	t, f := &l.chain, Frame(le.Uint32(b))
	// It tells of each interval once, in order, and is not ahead of what we have told.
	if f != t.told+Frame(m.cfg.ChainEvery) || f > m.sampled() || len(t.pending) == chainLinks {
		return datagram.ErrRange
	}
	t.told = f
	t.pending = append(t.pending, chainLink{f, le.Uint64(b[4:])})
	m.compareChain(l)
	return nil
}

// compareChain compares what we both have.
func (m *Machine) compareChain(l *link) {
	t := &l.chain
	n := 0
	for ; n < len(t.pending) && t.pending[n].frame <= m.chain.hashed; n++ {
		theirs := t.pending[n]
		if ours := m.chain.links[theirs.frame/Frame(m.cfg.ChainEvery)%chainLinks]; ours.frame == theirs.frame {
			m.verdict(l, theirs.frame, ours.value == theirs.value)
		}
	}
	t.pending = append(t.pending[:0], t.pending[n:]...)
}

// compareSummary compares the ends of the match.
func (m *Machine) compareSummary(l *link) {
	ours, theirs := &m.end.outcome.Summary, &l.summary
	m.verdict(l, min(ours.Frames, theirs.Frames), ours.Frames == theirs.Frames && ours.Chain == theirs.Chain && ours.Hash == theirs.Hash)
}

// verdict takes note of a comparison. With nothing hashed there is nothing to say.
func (m *Machine) verdict(l *link, f Frame, same bool) {
	if m.chain.hashed == 0 {
		return
	}
	if !same {
		m.desynced(l, f)
		return
	}
	l.chain.compared, l.chain.equal = true, f
	m.verified()
	for _, other := range m.links {
		if other.alive() && !other.chain.compared {
			return
		}
	}
	if m.chain.health == Unverified {
		m.chain.health = Healthy
	}
}

func (m *Machine) desynced(l *link, f Frame) {
	if m.chain.health != Desynced {
		m.events.add(Event{What: Desync, Players: l.players, Frame: f})
	}
	m.chain.health = Desynced
	m.suspect(f)
}
