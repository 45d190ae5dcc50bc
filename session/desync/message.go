package desync

import (
	"encoding/binary"
	"slices"
)

// Kind is a kind of message. The session decides what precedes its body on the wire.
type Kind uint8

const (
	// Suspect means that there is a desync to explain.
	Suspect Kind = iota
	// Ask is a query from the coordinator.
	Ask
	// Answer is the answer to a query.
	Answer
	// Piece is a part of the report, or says that there will be none.
	Piece
	// Kinds is the number of kinds.
	Kinds
)

// step is the subject of a query.
type step uint8

const (
	askHashes step = 1 + iota // the hashes of agreed states
	askState                  // a state, to be restored
	askParts                  // parts of that state: digests of their children, or all of the smallest ones
)

const (
	// maxEntries is the maximum number of hashes in an answer.
	maxEntries = 960
	// maxNodes is the maximum number of parts in an Ask.
	maxNodes = 8
	// maxWhy limits the text that says why something is missing, in bytes.
	maxWhy = 120
	// maxMachine limits the description of a peer's machine, in bytes.
	maxMachine = 64
	// pieceSize is how many bytes of a report a message contains.
	pieceSize = 2048
)

// ask is a query. The step decides which fields are used.
type ask struct {
	number uint32
	step   step

	from          uint32 // for hashes: the first state
	count         uint16 // and how many that are hashed
	state, inputs uint32 // for a state: its number, and the first frame of the inputs' digest
	depth, level  uint8  // for parts: the levels of the tree, the level of the parts, and which these are
	nodes         []uint64
}

func (a *ask) append(b []byte) []byte {
	le := binary.LittleEndian
	b = append(le.AppendUint32(b, a.number), byte(a.step))
	switch a.step {
	case askHashes:
		b = le.AppendUint16(le.AppendUint32(b, a.from), a.count)
	case askState:
		b = le.AppendUint32(le.AppendUint32(b, a.state), a.inputs)
	default:
		b = append(b, a.depth, a.level, byte(len(a.nodes)))
		for _, n := range a.nodes {
			b = le.AppendUint64(b, n)
		}
	}
	return b
}

func (a *ask) consume(b []byte) error {
	r := reader{b: b}
	*a = ask{number: r.uint32(), step: step(r.byte())}
	switch a.step {
	case askHashes:
		a.from, a.count = r.uint32(), r.uint16()
		r.check(a.from > 0 && a.count > 0 && a.count <= maxEntries)
	case askState:
		a.state, a.inputs = r.uint32(), r.uint32()
		r.check(a.state > 0 && a.inputs <= a.state)
	case askParts:
		a.depth, a.level = r.bounded(maxDepth), r.bounded(maxDepth)
		n := int(r.bounded(maxNodes))
		r.check(a.level <= a.depth)
		for range n {
			node := r.uint64()
			// No node comes twice, so that an answer covers the whole state at most once.
			r.check(node>>(fanBits*a.level) == 0 && !slices.Contains(a.nodes, node))
			a.nodes = append(a.nodes, node)
		}
	default:
		r.check(false)
	}
	return r.end()
}

// answer is the answer to an ask.
type answer struct {
	number uint32
	step   step

	machine []byte   // for hashes: description of the peer's machine
	entries []uint64 // the hashes; none if they are not held

	source Origin // for a state
	base   uint32 // the snapshot from which it was simulated
	hash   uint64 // of the state as restored
	depth  uint8  // that suits the size of the state
	inputs uint64 // digest of the inputs; 0: not held
	why    []byte

	parts [][]byte
}

func (a *answer) append(b []byte) []byte {
	le := binary.LittleEndian
	b = append(le.AppendUint32(b, a.number), byte(a.step))
	switch a.step {
	case askHashes:
		b = le.AppendUint16(appendShort(b, a.machine), uint16(len(a.entries)))
		for _, e := range a.entries {
			b = le.AppendUint64(b, e)
		}
	case askState:
		b = le.AppendUint64(le.AppendUint32(append(b, byte(a.source)), a.base), a.hash)
		b = appendShort(le.AppendUint64(append(b, a.depth), a.inputs), a.why)
	case askParts:
		b = append(b, byte(len(a.parts)))
		for _, p := range a.parts {
			b = append(le.AppendUint16(b, uint16(len(p))), p...)
		}
	}
	return b
}

func (a *answer) consume(b []byte) error {
	r := reader{b: b}
	*a = answer{number: r.uint32(), step: step(r.byte())}
	switch a.step {
	case askHashes:
		a.machine = r.short(maxMachine)
		n := r.uint16()
		r.check(n <= maxEntries)
		for b := r.take(8 * int(n)); len(b) > 0; b = b[8:] {
			a.entries = append(a.entries, binary.LittleEndian.Uint64(b))
		}
	case askState:
		a.source, a.base, a.hash = Origin(r.bounded(byte(Unavailable))), r.uint32(), r.uint64()
		a.depth, a.inputs, a.why = r.bounded(maxDepth), r.uint64(), r.short(maxWhy)
		r.check(a.source > 0)
	case askParts:
		for range r.bounded(maxNodes) {
			n := r.uint16()
			r.check(n <= maxLeaf)
			a.parts = append(a.parts, r.take(int(n)))
		}
	default:
		r.check(false)
	}
	return r.end()
}

// piece is a part of a report of size bytes. If size is 0 there will be no report, and bytes says why.
type piece struct {
	size, offset uint32
	bytes        []byte
}

func (p *piece) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, p.size)
	return append(binary.LittleEndian.AppendUint32(b, p.offset), p.bytes...)
}

func (p *piece) consume(b []byte) error {
	r := reader{b: b}
	p.size, p.offset = r.uint32(), r.uint32()
	p.bytes = r.b
	switch {
	case r.err != nil:
		return r.err
	case p.size == 0:
		r.check(p.offset == 0 && len(p.bytes) <= maxWhy)
	default:
		r.check(p.size <= MaxReport && len(p.bytes) > 0 && len(p.bytes) <= pieceSize &&
			p.offset < p.size && uint32(len(p.bytes)) <= p.size-p.offset)
	}
	return r.err
}
