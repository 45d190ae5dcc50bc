package facts

import (
	"encoding/binary"
	"errors"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// ErrCorrupt means that bytes were not made by [Encode] or [Set.Append].
var ErrCorrupt = errors.New("facts: the bytes are damaged")

// coder writes values, or reads them in the same order: each method does both, so that the two cannot differ. Equal
// strings are stored once, and after that referred to by number.
type coder struct {
	reading bool
	b       []byte
	strings []string
	number  map[string]uint64
	err     error
}

func (c *coder) fail() {
	if c.err == nil {
		c.err = ErrCorrupt
	}
	c.b = nil
}

func (c *coder) uint(v *uint64) {
	if !c.reading {
		c.b = binary.AppendUvarint(c.b, *v)
		return
	}
	x, n := binary.Uvarint(c.b)
	if n <= 0 {
		*v = 0
		c.fail()
		return
	}
	*v, c.b = x, c.b[n:]
}

func (c *coder) int(v *int) {
	u := uint64(*v)
	c.uint(&u)
	if c.reading {
		if u > 1<<31-1 {
			c.fail()
			u = 0
		}
		*v = int(u)
	}
}

func (c *coder) bool(v *bool) {
	u := uint64(0)
	if *v {
		u = 1
	}
	c.uint(&u)
	*v = u == 1
}

// text codes a string: 0, its length and its bytes, or the number that it got at its first occurrence.
func (c *coder) text(v *string) {
	if c.reading {
		*v = c.readText()
		return
	}
	n, known := c.number[*v]
	c.b = binary.AppendUvarint(c.b, n)
	if !known {
		c.number[*v] = uint64(len(c.number) + 1)
		c.b = binary.AppendUvarint(c.b, uint64(len(*v)))
		c.b = append(c.b, *v...)
	}
}

func (c *coder) readText() string {
	var n, size uint64
	if c.uint(&n); n > uint64(len(c.strings)) {
		c.fail()
		return ""
	}
	if n > 0 {
		return c.strings[n-1]
	}
	if c.uint(&size); size > uint64(len(c.b)) {
		c.fail()
		return ""
	}
	s := string(c.b[:size])
	c.b = c.b[size:]
	c.strings = append(c.strings, s)
	return s
}

func (c *coder) texts(v *[]string) { list(c, v, c.text) }

func (c *coder) position(p *token.Position) {
	c.text(&p.Filename)
	c.int(&p.Offset)
	c.int(&p.Line)
	c.int(&p.Column)
}

// list codes a list. An element takes at least one byte, so a length is checked against the remaining bytes.
func list[T any](c *coder, v *[]T, element func(*T)) {
	n := len(*v)
	c.int(&n)
	if !c.reading {
		for i := range *v {
			element(&(*v)[i])
		}
		return
	}
	if n > len(c.b) {
		c.fail()
		return
	}
	if n == 0 {
		*v = nil
		return
	}
	*v = make([]T, 0, min(n, 1<<10))
	for range n {
		if c.err != nil {
			return
		}
		var x T
		element(&x)
		*v = append(*v, x)
	}
}

// table codes a map, in the order of its keys.
func table[T any](c *coder, m *map[string]T, value func(*T)) {
	keys := slices.SortedFunc(maps.Keys(*m), strings.Compare)
	if !c.reading {
		list(c, &keys, func(k *string) {
			v := (*m)[*k]
			c.text(k)
			value(&v)
		})
		return
	}
	read := map[string]T{}
	list(c, &keys, func(k *string) {
		var v T
		c.text(k)
		value(&v)
		read[*k] = v
	})
	*m = read
}
