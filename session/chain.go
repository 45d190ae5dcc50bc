package session

import (
	"encoding/binary"
	"math/bits"

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
	last   uint64 // the newest hash,
	hashed Frame  // of this state
	links  [chainLinks]chainLink
	count  uint32 // of links that were made
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
	pending  []chainLink
	compared bool
}

// mix folds a hash into the chain.
func mix(chain, hash uint64, f Frame) uint64 {
	return bits.RotateLeft64((chain^hash)*0x9E3779B97F4A7C15, 29) + uint64(f)
}

// record adds an agreed frame to the chain.
func (m *Machine) record(a agreedFrame) {
	c, f := &m.chain, a.frame+1
	if a.hashed {
		c.value, c.last, c.hashed = mix(c.value, a.hash, f), a.hash, f
	}
	m.match.complete = a.last || f == m.match.limit
	if len(m.links) == 0 || c.hashed == 0 || f%Frame(m.cfg.ChainEvery) != 0 {
		return
	}
	c.links[c.count%chainLinks] = chainLink{f, c.value}
	c.count++
	for _, l := range m.links {
		if l.state == connected {
			b := binary.LittleEndian.AppendUint32(m.begins(messageChain), uint32(f))
			m.post(l, binary.LittleEndian.AppendUint64(b, c.value))
		}
		m.compareChain(l)
	}
}

// receiveChain is the value of a peer's chain.
func (m *Machine) receiveChain(l *link, b []byte) error {
	if len(b) != 12 {
		return datagram.ErrShort
	}
	if len(l.chain.pending) == chainLinks {
		return datagram.ErrRange // it is farther ahead than anybody can be
	}
	l.chain.pending = append(l.chain.pending, chainLink{Frame(binary.LittleEndian.Uint32(b)), binary.LittleEndian.Uint64(b[4:])})
	m.compareChain(l)
	return nil
}

// compareChain compares what we both have.
func (m *Machine) compareChain(l *link) {
	c, kept := &m.chain, l.chain.pending[:0]
	for _, theirs := range l.chain.pending {
		switch ours, known := c.find(theirs.frame); {
		case known:
			m.verdict(l, theirs.frame, ours == theirs.value)
		case theirs.frame > c.hashed:
			kept = append(kept, theirs)
		}
	}
	l.chain.pending = kept
}

func (c *chain) find(f Frame) (value uint64, known bool) {
	for i := range min(c.count, chainLinks) {
		if k := c.links[i]; k.frame == f {
			return k.value, true
		}
	}
	return 0, false
}

// compareSummary compares the ends of the match.
func (m *Machine) compareSummary(l *link) {
	ours, theirs := &m.end.outcome.Summary, &l.summary
	if ours.Frames == theirs.Frames {
		m.verdict(l, ours.Frames, ours.Chain == theirs.Chain && ours.Hash == theirs.Hash)
	}
	if theirs.Health == Desynced {
		m.desynced(l, ours.Frames)
	}
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
	l.chain.compared = true
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
}
