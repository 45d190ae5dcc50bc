package desync

import (
	"errors"
	"testing"
)

// message is anything that can be encoded and decoded.
type message interface {
	consume(b []byte) error
	append(b []byte) []byte
}

// taken reads a message that was written.
func taken(m message) error {
	b := m.append(nil)
	switch m.(type) {
	case *ask:
		return new(ask).consume(b)
	case *answer:
		return new(answer).consume(b)
	}
	return new(piece).consume(b)
}

// Rule: each value of a message has bounds. Values at them are accepted, and values beyond
// them are refused.
func TestMessagesHaveBounds(t *testing.T) {
	nodes := func(n int) (list []uint64) {
		for i := range n {
			list = append(list, uint64(i))
		}
		return list
	}
	long := func(n int) []byte { return make([]byte, n) }
	parts := func(n, size int) (list [][]byte) {
		for range n {
			list = append(list, long(size))
		}
		return list
	}
	for name, c := range map[string]struct{ good, bad message }{
		"the first state":    {&ask{step: askHashes, from: 1, count: 1}, &ask{step: askHashes, from: 0, count: 1}},
		"some states":        {&ask{step: askHashes, from: 2, count: 1}, &ask{step: askHashes, from: 2, count: 0}},
		"960 states":         {&ask{step: askHashes, from: 1, count: 960}, &ask{step: askHashes, from: 1, count: 961}},
		"a state":            {&ask{step: askState, state: 1}, &ask{step: askState}},
		"inputs up to it":    {&ask{step: askState, state: 5, inputs: 5}, &ask{step: askState, state: 5, inputs: 6}},
		"depth of nodes":     {&ask{step: askParts, depth: maxDepth, level: 4}, &ask{step: askParts, depth: maxDepth + 1, level: 4}},
		"depth of leaves":    {&ask{step: askParts, depth: maxDepth, level: maxDepth}, &ask{step: askParts, depth: maxDepth + 1, level: maxDepth + 1}},
		"level within depth": {&ask{step: askParts, depth: 4, level: 4}, &ask{step: askParts, depth: 4, level: maxDepth}},
		"nodes at once":      {&ask{step: askParts, depth: 1, level: 1, nodes: nodes(8)}, &ask{step: askParts, depth: 1, level: 1, nodes: nodes(9)}},
		"the last node":      {&ask{step: askParts, depth: 3, level: 2, nodes: []uint64{4095}}, &ask{step: askParts, depth: 3, level: 2, nodes: []uint64{4096}}},
		"the root":           {&ask{step: askParts, depth: 3, nodes: []uint64{0}}, &ask{step: askParts, depth: 3, nodes: []uint64{1}}},
		"a node once":        {&ask{step: askParts, depth: 1, level: 1, nodes: []uint64{7, 8}}, &ask{step: askParts, depth: 1, level: 1, nodes: []uint64{7, 7}}},
		"a question":         {&ask{step: askParts}, &ask{step: askParts + 1}},

		"machine":    {&answer{step: askHashes, machine: long(64)}, &answer{step: askHashes, machine: long(65)}},
		"hashes":     {&answer{step: askHashes, entries: nodes(960)}, &answer{step: askHashes, entries: nodes(961)}},
		"a source":   {&answer{step: askState, source: 1}, &answer{step: askState, source: 0}},
		"sources":    {&answer{step: askState, source: 4}, &answer{step: askState, source: 5}},
		"depth":      {&answer{step: askState, source: 1, depth: 5}, &answer{step: askState, source: 1, depth: 6}},
		"why":        {&answer{step: askState, source: 4, why: long(120)}, &answer{step: askState, source: 4, why: long(121)}},
		"parts told": {&answer{step: askParts, parts: parts(8, 0)}, &answer{step: askParts, parts: parts(9, 0)}},
		"part":       {&answer{step: askParts, parts: parts(1, 1024)}, &answer{step: askParts, parts: parts(1, 1025)}},
		"step":       {&answer{step: askParts}, &answer{step: askParts + 1}},
		"no step":    {&answer{step: askHashes}, &answer{step: 0}},

		"no report":   {&piece{bytes: long(120)}, &piece{bytes: long(121)}},
		"of nothing":  {&piece{offset: 0}, &piece{offset: 1}},
		"a report":    {&piece{size: 60 << 10, bytes: long(1)}, &piece{size: 60<<10 + 1, bytes: long(1)}},
		"a piece":     {&piece{size: 9000, bytes: long(2048)}, &piece{size: 9000, bytes: long(2049)}},
		"some bytes":  {&piece{size: 9, bytes: long(1)}, &piece{size: 9}},
		"all of it":   {&piece{size: 9, bytes: long(9)}, &piece{size: 9, bytes: long(10)}},
		"the end":     {&piece{size: 9, offset: 8, bytes: long(1)}, &piece{size: 9, offset: 8, bytes: long(2)}},
		"not further": {&piece{size: 9, offset: 7, bytes: long(2)}, &piece{size: 9, offset: 9, bytes: long(1)}},
		"far away":    {&piece{size: 9, offset: 7, bytes: long(1)}, &piece{size: 9, offset: None, bytes: long(1)}},
	} {
		if err := taken(c.good); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := taken(c.bad); !errors.Is(err, ErrRange) {
			t.Errorf("%s: what is behind the bound: %v", name, err)
		}
	}
	if err := new(piece).consume(make([]byte, 7)); !errors.Is(err, ErrShort) {
		t.Error(err)
	}
	for _, m := range []message{&ask{step: askState, state: 1}, &answer{step: askState, source: 1}} {
		if err := m.consume(append(m.append(nil), 0)); !errors.Is(err, ErrRange) {
			t.Errorf("a byte too many: %v", err)
		}
	}
}
