package netem

import (
	"errors"
	"fmt"
	"time"
)

const (
	// MaxNodes is the maximum number of nodes of a network: there is a path of some 300 bytes for each pair.
	MaxNodes = 256
	// MaxInFlight is the maximum number of datagrams in flight at once. (One number is reserved for the slot of the
	// delivery being read.)
	MaxInFlight = 1<<slotBits - 1
	// DefaultInFlight is the default of the maximum number of datagrams in flight: enough for 8 players and their 56
	// links with 1000 datagrams on each, which is several seconds of play.
	DefaultInFlight = 1 << 16
)

// maxTime keeps all sums of times in range: 146 years.
const maxTime = time.Duration(1) << 62

// ErrConfig is wrapped by every error about a new network.
var ErrConfig = errors.New("invalid network")

// Topology is the common part of [Network] and [Datagrams]: the nodes, a path from each node to each node, including
// itself, and the order of arrivals. [New] and [NewDatagrams] make it.
type Topology struct {
	nodes int
	limit int  // the maximum number of datagrams in flight
	frail bool // corrupted datagrams are lost
	paths []Path

	now    time.Duration
	number uint64 // the number of the datagram sent last
	queue  queue
	slots  []slot
	free   []uint32 // free slots
}

// slot is the information about a datagram in flight, apart from its time and payload.
type slot struct {
	path     uint16
	size     uint16
	from, to uint8
}

func (t *Topology) init(nodes int, seed uint64, inFlight int) error {
	if nodes < 1 || nodes > MaxNodes {
		return fmt.Errorf("%w: %d nodes: give 1 to %d", ErrConfig, nodes, MaxNodes)
	}
	if inFlight < 0 || inFlight > MaxInFlight {
		return fmt.Errorf("%w: InFlight is %d: give 0 (%d) to %d", ErrConfig, inFlight, DefaultInFlight, MaxInFlight)
	}
	if inFlight == 0 {
		inFlight = DefaultInFlight
	}
	*t = Topology{nodes: nodes, limit: inFlight, now: beginning, queue: newQueue()}
	t.paths = make([]Path, nodes*nodes)
	for i := range t.paths {
		t.paths[i].init(seed, uint64(i/nodes), uint64(i%nodes))
	}
	return nil
}

// Nodes returns the number of nodes; they are numbered from 0.
func (t *Topology) Nodes() int { return t.nodes }

// index returns the index of a path. Methods with nodes as arguments panic if there is no such node, as a slice does.
func (t *Topology) index(from, to int) int {
	if uint(from) >= uint(t.nodes) || uint(to) >= uint(t.nodes) {
		t.noSuchLink(from, to)
	}
	return from*t.nodes + to
}

// The panics are separate functions, so that their callers can be inlined.
//
//go:noinline
func (t *Topology) noSuchLink(from, to int) {
	panic(fmt.Sprintf("netem: no link from %d to %d: the nodes are 0 to %d", from, to, t.nodes-1))
}

//go:noinline
func noSuchSize(size int) {
	panic(fmt.Sprintf("netem: a datagram of %d bytes: give 0 to %d", size, MaxSize))
}

// SetLink changes the link from one node to another, in this direction, for datagrams sent from now on. If it is
// invalid nothing changes.
func (t *Topology) SetLink(from, to int, l Link) error {
	return t.paths[t.index(from, to)].SetLink(l)
}

// SetAll changes all links between different nodes. The links of a node to itself stay perfect, unless SetLink changes
// them.
func (t *Topology) SetAll(l Link) error {
	if err := l.Validate(); err != nil {
		return err
	}
	for i := range t.paths {
		if i/t.nodes != i%t.nodes {
			t.paths[i].setLink(&l)
		}
	}
	return nil
}

// Link returns the settings of a link.
func (t *Topology) Link(from, to int) Link { return t.paths[t.index(from, to)].link }

// Cut cuts a link in this direction, or restores it. Datagrams sent over a cut link are lost; those in flight when the
// cut begins still arrive. Changing the settings of a cut link leaves it cut.
func (t *Topology) Cut(from, to int, cut bool) { t.paths[t.index(from, to)].cut = cut }

// IsCut reports whether the link is cut (by Cut; Link.Down is separate).
func (t *Topology) IsCut(from, to int) bool { return t.paths[t.index(from, to)].cut }

// Stats returns the statistics of a link.
func (t *Topology) Stats(from, to int) Stats { return t.paths[t.index(from, to)].stats }

// TotalStats returns the sums of the statistics of all links.
func (t *Topology) TotalStats() Stats {
	var sum Stats
	for i := range t.paths {
		sum.Add(t.paths[i].stats)
	}
	return sum
}

// InFlight returns how many datagrams and copies are on their way.
func (t *Topology) InFlight() int { return t.queue.len() }

// Next returns the time of the earliest arrival; ok is false if nothing is in flight.
func (t *Topology) Next() (at time.Duration, ok bool) {
	return t.queue.min().time(), t.queue.len() > 0
}

// advance moves the clock forward, and returns it: time never goes back.
func (t *Topology) advance(now time.Duration) time.Duration {
	t.now = max(t.now, min(max(now, -maxTime), maxTime))
	return t.now
}

// arrivals has the copies of a datagram that will arrive, and the slots for them.
type arrivals struct {
	Fate
	slots [2]uint32
}

// send decides the fate of a datagram and puts its copies into the queue. a must be all zeros.
func (t *Topology) send(now time.Duration, from, to, size int, a *arrivals) {
	i := t.index(from, to)
	if uint(size) > MaxSize {
		noSuchSize(size)
	}
	p := &t.paths[i]
	p.send(t.advance(now), size, &a.Fate)
	copies := a.Copies
	a.Copies = 0
	for c := range copies {
		at, damage := a.At[c&1], a.Damage[c&1]
		switch {
		case damage != 0 && t.frail:
			p.stats.Lost++
		case t.queue.len() >= t.limit:
			p.stats.Dropped++
		default:
			s := t.take()
			t.slots[s] = slot{uint16(i), uint16(size), uint8(from), uint8(to)}
			t.number++
			t.queue.push(newEntry(at, t.number, s))
			a.slots[a.Copies&1], a.Damage[a.Copies&1] = s, damage
			a.Copies++
		}
	}
}

// take returns a free slot.
func (t *Topology) take() uint32 {
	if n := len(t.free); n > 0 {
		s := t.free[n-1]
		t.free = t.free[:n-1]
		return s
	}
	t.slots = append(t.slots, slot{})
	return uint32(len(t.slots) - 1)
}

// give frees a slot.
func (t *Topology) give(s uint32) { t.free = append(t.free, s) }

// due returns the earliest arrival, if its time has come.
func (t *Topology) due(now time.Duration) (entry, bool) {
	t.advance(now)
	first := t.queue.min()
	return first, first.time() <= now && t.queue.len() > 0
}

// receive removes the earliest arrival from the queue. Its slot is still in use.
func (t *Topology) receive(first entry) {
	held := &t.slots[first.slot()]
	t.paths[held.path].received(first.number(), int(held.size))
	t.queue.pop()
}
