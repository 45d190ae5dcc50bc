package world

import "encoding/binary"

// part is a field of a world: [Table], [Column], [Optional], [One], [Grid], [Map], [Set], [Later],
// [Sum] or [Scratch].
type part interface {
	// bind prepares the part; like is the corresponding part in the live world, if this one belongs to a snapshot. A
	// column has a table.
	bind(b *binder, path string, table *Table, like part)
}

// paged is a part of the state. Its pages and its head are its whole content.
type paged interface {
	part
	pathOf() string
	// head returns the n numbers that determine how many pages there are, if that is not fixed; setHead makes that many
	// pages, of which existing ones keep their content, or refuses the numbers.
	head() (h heading, n int)
	setHead(h heading) error
	// wanted returns how many pages setHead would make, including those of columns.
	wanted(h heading) uint64
	// finish computes derived values after the pages have been read, and returns an error for content that no step can
	// have produced.
	finish() error
	// copyFrom makes the part share the pages of another one of the same kind; reset removes all pages.
	copyFrom(from paged)
	reset()
	// differ reports where two pages differ.
	differ(r *reporter, i int, other paged)

	count() int
	elements() string // the shape of a page
	pageBytes() int   // the size of an encoded page in bytes
	memory() int      // the size of a page in memory, in bytes
	isZero(i int) bool
	samePage(i int, other paged) bool
	digest(i int) uint64
	isEmpty(i int) bool // the same as isZero, but based on the digest
	// leaves returns how many leaves the part has in the tree of a state: see stateParts. appendLeaves appends the bytes
	// of some of them, for digests, and appendLeafText the fields of one as lines.
	leaves() int
	appendLeaves(b []byte, from, to int) []byte
	appendLeafText(b []byte, leaf int) []byte
	appendPage(b []byte, i int) []byte
	decodePage(i int, b []byte) error
	appendPageDelta(b []byte, i int, base paged) []byte
	applyPageDelta(i int, b []byte) (int, error)
}

// heading has the numbers of a head; unused ones are 0.
type heading [2]uint64

// staged is a part of the state that belongs to a table.
type staged interface {
	paged
	enter()
	exit()
	resize(n int)
	clearRow(chunk, row int)
}

// appendUvarint appends a number in as few bytes as possible, 7 bits in each.
func appendUvarint(b []byte, v uint64) []byte { return binary.AppendUvarint(b, v) }
