package capture_test

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"
)

// decodeError is the value with which the decoder panics when bytes and tables do not match. It becomes an error for a
// whole datagram.
type decodeError string

func (e decodeError) Error() string { return string(e) }

func fail(format string, args ...any) { panic(decodeError(fmt.Sprintf(format, args...))) }

// fieldValue is a field that was read: a number, bytes, or the fields of a table.
type fieldValue struct {
	name string
	n    uint64 // of a signed difference: its low 32 bits, extended
	raw  []byte
	sub  *node
}

// node is a table that was read.
type node struct {
	fields []fieldValue
	parent *node
}

func (n *node) all(name string) (fields []fieldValue) {
	for _, f := range n.fields {
		if f.name == name {
			fields = append(fields, f)
		}
	}
	return fields
}

// get returns a field that must occur once.
func (n *node) get(name string) fieldValue {
	f := n.all(name)
	if len(f) != 1 {
		fail("%d fields %q", len(f), name)
	}
	return f[0]
}

// tables returns the fields with a name that are tables.
func (n *node) tables(name string) (nodes []*node) {
	for _, f := range n.all(name) {
		if f.sub == nil {
			fail("%s is no table", name)
		}
		nodes = append(nodes, f.sub)
	}
	return nodes
}

// table returns a table that must occur once.
func (n *node) table(name string) *node {
	t := n.tables(name)
	if len(t) != 1 {
		fail("%d tables %q", len(t), name)
	}
	return t[0]
}

func (n *node) num(name string) uint64 { return n.get(name).n }

// find returns a number that was read before, in this table or one around it.
func (n *node) find(name string) uint64 {
	for ; n != nil; n = n.parent {
		for _, f := range slices.Backward(n.fields) {
			if f.name == name {
				return f.n
			}
		}
	}
	fail("no field %q before", name)
	return 0
}

// peerShape is what a reader knows from the handshake.
type peerShape struct{ senders, receivers, width, players int }

// decoder reads bytes according to the tables.
type decoder struct {
	tables tableSet
	shape  peerShape
	b      []byte
}

// whole reads a table that must be all of b, and verifies its tag, if it has one.
func (w tableSet) whole(table string, b []byte, s peerShape, seed uint64) *node {
	rows := w.named(table)
	if last := rows[len(rows)-1]; last.field == "tag" {
		size, _ := strconv.Atoi(last.bytes)
		n := len(b) - size
		if size != 8 || n < 0 || binary.LittleEndian.Uint64(b[n:]) != xxh3.HashSeed(b[:n], seed) {
			fail("the tag of a %s does not fit", table)
		}
		b, rows = b[:n], rows[:len(rows)-1]
	}
	d := decoder{w, s, b}
	node := d.rows(rows, nil)
	if len(d.b) > 0 {
		fail("%d bytes after a %s", len(d.b), table)
	}
	return node
}

func (d *decoder) rows(rows []tableRow, parent *node) *node {
	n := &node{parent: parent}
	for _, r := range rows {
		if r.present == "to the end" {
			for left := -1; len(d.b) > 0 && len(d.b) != left; {
				left = len(d.b)
				n.fields = append(n.fields, d.field(r, n))
			}
			continue
		}
		for range d.times(r.present, n) {
			n.fields = append(n.fields, d.field(r, n))
		}
	}
	return n
}

// field reads one field.
func (d *decoder) field(r tableRow, n *node) fieldValue {
	f := fieldValue{name: r.field}
	if table, _, ok := strings.Cut(strings.TrimPrefix(r.bytes, "["), "](#"); ok {
		f.sub = d.rows(d.tables.named(table), n)
		return f
	}
	switch {
	case r.bytes == "varint":
		f.n = d.varint()
	case r.bytes == "zigzag":
		v := d.varint()
		f.n = v>>1 ^ -(v & 1)
	case r.bytes == "rest":
		f.raw = d.take(len(d.b))
	case strings.Contains(r.bytes, " or "): // the rest has one of two sizes
		if !slices.Contains(strings.Split(r.bytes, " or "), strconv.Itoa(len(d.b))) {
			fail("%d bytes are left, not %s", len(d.b), r.bytes)
		}
		f.raw = d.take(len(d.b))
	case r.bytes == "set":
		f.raw = d.take(d.setSize())
	case r.bytes == "width":
		f.raw = d.take(d.shape.width)
	case strings.HasPrefix(r.bytes, "width / "):
		f.raw = d.take((d.shape.width + 7) / 8)
	case strings.HasPrefix(r.bytes, "ones of "):
		v, _ := valueOf(r.bytes[len("ones of "):], n)
		f.raw = d.take(bits.OnesCount64(v))
	case strings.HasPrefix(r.bytes, "`"):
		v, _ := valueOf(r.bytes, n)
		f.raw = d.take(int(min(v, 1<<20)))
	default:
		size, err := strconv.Atoi(r.bytes)
		if err != nil {
			fail("%q is no size", r.bytes)
		}
		f.raw = d.take(size)
	}
	if len(f.raw) <= 8 {
		for i, c := range f.raw {
			f.n |= uint64(c) << (8 * i)
		}
	}
	return f
}

// setSize returns how many bytes a set has.
func (d *decoder) setSize() int {
	if d.shape.players > 8 {
		return 2
	}
	return 1
}

func (d *decoder) take(n int) []byte {
	if n > len(d.b) {
		fail("%d bytes, and %d are left", n, len(d.b))
	}
	taken := d.b[:n:n]
	d.b = d.b[n:]
	return taken
}

func (d *decoder) varint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 || n > 1 && d.b[n-1] == 0 {
		fail("no varint")
	}
	d.b = d.b[n:]
	return v
}
