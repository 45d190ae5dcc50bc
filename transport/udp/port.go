package udp

import (
	"encoding/binary"
	"errors"
	"net/netip"
	"sync"
	"time"
)

const (
	// MaxMembers is the maximum number of members of a port.
	MaxMembers = 1 << 16

	// memberQueue is the maximum number of datagrams that wait for one member: half a second from each of two peers.
	memberQueue = 64
	// portQueue is the maximum number of datagrams that wait for all members together: four for each of a thousand.
	portQueue = 4096
	// portRead is the maximum number of datagrams that one Poll reads; the others wait in the system.
	portRead = 2 * portQueue
	// portSend is how many datagrams are collected before they are sent without a Flush.
	portSend = 8 * batchDatagrams

	// channelKind is the first byte of a datagram on a channel; the channel's number follows. No datagram of a session or
	// of DTLS begins with it.
	channelKind = 0x10
	// ChannelSize is how many bytes a channel adds to a datagram.
	ChannelSize = 5
)

var (
	// ErrTaken means that a channel, or the address of a peer, belongs to another member of the port.
	ErrTaken = errors.New("another member has it")
	// ErrMembers means that a port already has [MaxMembers] members.
	ErrMembers = errors.New("the port has too many members")
)

// Port is one socket that many matches share, each through a [Member], which is its transport. No goroutine
// belongs to a match. A datagram reaches its member by the address of its sender, or by the number of a
// channel in front of it. All methods may be called from several goroutines.
//
// A server runs all of its matches in one loop:
//
//  1. [Port.Poll] reads what has arrived, for all members.
//  2. Update each match that is due. What they send is collected.
//  3. [Port.Flush] sends it, with few system calls.
//  4. [Port.Wait] waits until the next match is due.
//
// Until Poll is called for the first time, members read and send by themselves, as a [Conn] does, so a player's program
// needs no such loop to play on a channel.
type Port struct {
	conn *Conn

	mu      sync.Mutex // guards the fields below
	driven  bool       // Poll has been called
	closed  bool
	members int
	senders map[netip.AddrPort]*Member
	numbers map[uint32]*Member
	free    []*parcel
	waiting int
	queues  byLength
	buffer  [MaxDatagram]byte
	counts  PortStats

	to    []netip.AddrPort // collected datagrams, with their destinations
	ends  []int
	bytes []byte
	list  [][]byte
}

// PortStats has the statistics of a port, in addition to those of its socket: see [Port.Stats].
type PortStats struct {
	Socket  Stats
	Members int // current members
	Waiting int // datagrams that members have not received yet
	// Unknown counts datagrams dropped because no member has their address or channel.
	Unknown uint64
	// Malformed counts datagrams dropped because they are too short for the number of their channel.
	Malformed uint64
	// Overflowed counts datagrams that were dropped because too many were waiting, for their member or for all members
	// together.
	Overflowed uint64
}

// parcel is a waiting datagram.
type parcel struct {
	from  netip.AddrPort
	at    time.Time
	who   byte // its sender: 1 plus the index among the known addresses, or stranger
	bytes []byte
}

// ListenPort opens a port, with the addresses and errors of [Listen].
func ListenPort(address string) (*Port, error) {
	c, err := ListenPolled(address)
	if err != nil {
		return nil, err
	}
	return &Port{conn: c, senders: make(map[netip.AddrPort]*Member), numbers: make(map[uint32]*Member)}, nil
}

// LocalAddr returns the address that the socket listens on: see [Conn.LocalAddr].
func (p *Port) LocalAddr() netip.AddrPort { return p.conn.LocalAddr() }

// Channel makes a member that gets everything on a channel, from any address, so that players may join, watch and move
// to other addresses. Players there must use the same number, on their own port or on the other end of this one. The
// number is not secret, and protects nothing. It costs [ChannelSize] bytes a datagram.
//
// Errors: [ErrTaken], [ErrMembers], [ErrClosed].
func (p *Port) Channel(number uint32) (*Member, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.admits(p.numbers[number] != nil); err != nil {
		return nil, err
	}
	m := &Member{port: p, tagged: true, number: number}
	p.numbers[number] = m
	p.members++
	return m, nil
}

// Peers makes a member that gets everything from these addresses, and nothing else. Its datagrams are the same as
// without a port, so the peers need none. An address can belong to only one member, and a peer that moves to another
// address is lost.
//
// Errors: [ErrAddress], [ErrTaken], [ErrMembers], [ErrClosed].
func (p *Port) Peers(peers ...netip.AddrPort) (*Member, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := &Member{port: p}
	taken := false
	for _, a := range peers {
		if !a.IsValid() || a.Port() == 0 {
			return nil, &Error{"play with", a.String(), ErrAddress, nil}
		}
		m.peers = append(m.peers, unmap(a))
		taken = taken || p.senders[unmap(a)] != nil
	}
	if err := p.admits(taken); err != nil {
		return nil, err
	}
	for _, a := range m.peers {
		p.senders[a] = m
	}
	p.members++
	return m, nil
}

// admits returns the reason why there cannot be another member, or nil.
func (p *Port) admits(taken bool) error {
	why := error(nil)
	switch {
	case p.closed:
		why = ErrClosed
	case taken:
		why = ErrTaken
	case p.members == MaxMembers:
		why = ErrMembers
	default:
		return nil
	}
	return &Error{"add a member to", p.conn.local.String(), why, nil}
}

// Poll reads the datagrams that have arrived, and distributes them to the members. It never blocks, and returns the
// number of datagrams.
func (p *Port) Poll() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.driven = true
	return p.read()
}

func (p *Port) read() int {
	for i := range portRead {
		n, from, at, ok := p.conn.Receive(p.buffer[:])
		if !ok {
			return i
		}
		p.arrived(p.buffer[:n], from, at)
	}
	return portRead
}

// arrived puts a datagram into the queue of its member.
func (p *Port) arrived(b []byte, from netip.AddrPort, at time.Time) {
	m := p.senders[from]
	if len(b) > 0 && b[0] == channelKind {
		if len(b) < ChannelSize {
			p.counts.Malformed++
			return
		}
		m, b = p.numbers[binary.LittleEndian.Uint32(b[1:])], b[ChannelSize:]
	}
	if m == nil {
		p.counts.Unknown++
		return
	}
	m.push(b, from, at)
}

// room makes room for a datagram of a member: if the member has too many, one of its own is dropped, and otherwise one
// of the member with the most. It reports whether there is room.
func (p *Port) room(m *Member, who byte) bool {
	if len(m.queue) < memberQueue && p.waiting < portQueue {
		return true
	}
	p.counts.Overflowed++
	loser := m
	if len(m.queue) < memberQueue {
		if most := p.queues.fullest(); len(most.queue) > len(m.queue) {
			loser, who = most, stranger+1 // not influenced by the sender of this datagram
		}
	}
	i := loser.victim(who)
	if i < 0 {
		return false
	}
	p.release(loser.take(i))
	return true
}

// release keeps a parcel for reuse.
func (p *Port) release(d *parcel) {
	p.free = append(p.free, d)
	p.waiting--
}

// Flush sends the collected datagrams. It returns the first error of [Conn.SendBatch].
func (p *Port) Flush() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.flush()
}

func (p *Port) flush() error {
	if len(p.to) == 0 {
		return nil
	}
	start := 0
	for _, end := range p.ends {
		p.list = append(p.list, p.bytes[start:end])
		start = end
	}
	err := p.conn.SendBatch(p.to, p.list)
	p.to, p.ends, p.bytes, p.list = p.to[:0], p.ends[:0], p.bytes[:0], p.list[:0]
	return err
}

// Wait sends the collected datagrams, and waits for d, or, if wake is set, until something arrives.
func (p *Port) Wait(d time.Duration, wake bool) {
	_ = p.Flush() // datagrams that could not be sent count as lost
	p.conn.Wait(d, wake)
}

// Stats returns the statistics so far.
func (p *Port) Stats() PortStats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.counts
	s.Socket, s.Members, s.Waiting = p.conn.Stats(), p.members, p.waiting
	return s
}

// Close sends the collected datagrams, and frees the socket. Close the matches first, so that the other machines are
// informed. Remaining members receive nothing more, and their sends return [ErrClosed].
func (p *Port) Close() error {
	p.mu.Lock()
	_ = p.flush()
	p.closed = true
	p.mu.Unlock()
	return p.conn.Close()
}
