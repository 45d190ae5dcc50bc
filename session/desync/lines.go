package desync

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/canon"
)

// linesView is a state as text: each line is a path, ": " and a value. Lines are identified by their paths, so that
// a line that only one side has does not shift the others.
type linesView struct {
	lines []line // by key
}

// line is one line of the text.
type line struct {
	key         uint64 // hash of the path
	digest      uint64 // of the whole line
	path, value []byte
}

const (
	// maxItem is how many bytes of a path, and of a value, are sent.
	maxItem = 160
	// maxLeaf is the maximum number of bytes of lines sent per leaf.
	maxLeaf = 1024
	// Up to element wholeRun of an array, each element has a line of its own. Above that, runs of equal elements
	// are split into pieces of runPiece. So a single element that differs makes only a few lines differ.
	wholeRun, runPiece = 4096, 64
)

// newLinesView parses text in the format of canon.AppendTextAny.
func newLinesView(text []byte) *linesView {
	v := &linesView{}
	for l := range canon.TextLines(text) {
		v.addRun(l)
	}
	slices.SortStableFunc(v.lines, func(a, b line) int { return cmp.Compare(a.key, b.key) })
	v.number()
	return v
}

// addRun adds a line; a line for a run of equal elements becomes several.
func (v *linesView) addRun(l canon.TextLine) {
	array, from, to, ok := l.Elements()
	if !ok || to > maxRun {
		v.add(l.Path, l.Value)
		return
	}
	for from < to {
		end := from + 1
		if from >= wholeRun {
			end = min(to, from-from%runPiece+runPiece)
		}
		v.add(canon.AppendElements(nil, array, from, end), l.Value)
		from = end
	}
}

func (v *linesView) add(path, value []byte) {
	v.lines = append(v.lines, line{key: xxh3.Hash(path), path: path, value: value})
}

// maxRun is the maximum number of elements of an array whose runs are split.
const maxRun = 1 << 20

// number makes the keys of lines with the same path distinct, and computes the digests.
func (v *linesView) number() {
	var same, before uint64 // how many lines before this one have its key, and that key
	for i := range v.lines {
		l := &v.lines[i]
		if i > 0 && l.key == before {
			same++
		} else {
			same, before = 0, l.key
		}
		l.key += same // almost always still in the same leaf
		l.digest = xxh3.HashSeed(l.value, l.key)
	}
	slices.SortStableFunc(v.lines, func(a, b line) int { return cmp.Compare(a.key, b.key) })
}

func (v *linesView) depth() int { return depthFor(len(v.lines), leafLines) }

// part returns the lines below a node.
func (v *linesView) part(level int, index uint64) []line {
	if level == 0 {
		return v.lines
	}
	shift := 64 - fanBits*level
	at := func(i uint64) int {
		n, _ := slices.BinarySearchFunc(v.lines, i, func(l line, i uint64) int { return cmp.Compare(l.key>>shift, i) })
		return n
	}
	return v.lines[at(index):at(index+1)]
}

func (v *linesView) digests(_, level int, index uint64, out *[fan]uint64) {
	clear(out[:])
	shift := 64 - fanBits*(level+1)
	for _, l := range v.part(level, index) {
		out[l.key>>shift%fan] += mixed(l.key, l.digest)
	}
}

// mixed returns a hash of both numbers.
func mixed(a, b uint64) uint64 {
	var buffer [16]byte
	binary.LittleEndian.PutUint64(buffer[:], a)
	binary.LittleEndian.PutUint64(buffer[8:], b)
	return xxh3.Hash(buffer[:])
}

// leaf appends lines: each has its key, its digest, and its path and value, truncated to maxItem and preceded by
// their lengths.
func (v *linesView) leaf(b []byte, depth int, index uint64) []byte {
	start := len(b)
	for _, l := range v.part(depth, index) {
		path, value := cutText(l.path, maxItem), cutText(l.value, maxItem)
		if len(b)-start+lineSize(len(path), len(value)) > maxLeaf {
			break
		}
		b = binary.LittleEndian.AppendUint64(b, l.key)
		b = binary.LittleEndian.AppendUint64(b, l.digest)
		b = appendShort(appendShort(b, path), value)
	}
	return b
}

// lineSize returns how many bytes of a leaf a line takes.
func lineSize(path, value int) int { return 8 + 8 + 1 + path + 1 + value }

// consumeLine decodes a line of a leaf.
func consumeLine(r *reader) (l line) {
	l.key, l.digest = r.uint64(), r.uint64()
	l.path, l.value = r.short(maxItem), r.short(maxItem)
	return l
}

// cutText truncates a text, but not within a character.
func cutText[T ~string | ~[]byte](text T, most int) T {
	if len(text) <= most {
		return text
	}
	n := most
	for n > most-4 && text[n]&0xC0 == 0x80 {
		n--
	}
	return text[:n]
}

// Text is the text of a state in the format of canon.AppendTextAny and Plan.AppendText, indexed by path.
type Text struct{ view *linesView }

// ParseText parses a text. The bytes are kept.
func ParseText(text []byte) *Text { return &Text{newLinesView(text)} }

// Value returns the value at a path, as used in a [Field], and whether there is one.
func (t *Text) Value(path string) (string, bool) {
	key := xxh3.HashString(path)
	i, ok := slices.BinarySearchFunc(t.view.lines, key, func(l line, key uint64) int { return cmp.Compare(l.key, key) })
	if !ok {
		return "", false
	}
	return string(t.view.lines[i].value), true
}
