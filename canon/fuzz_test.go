package canon

import (
	"bytes"
	"testing"
)

type fuzzState struct {
	On    bool
	N     uint32
	Units [3]struct {
		V    uint64
		Dead bool
		K    uint16
		Bits [2]bool
	}
	Local int `canon:"-"`
	Tail  int8
}

// Rule: bytes that Decode accepts encode to the same bytes again; nothing panics, and refused bytes change nothing.
func FuzzDecode(f *testing.F) {
	p := planFor[fuzzState](f)
	f.Add(p.Append(nil, &fuzzState{}))
	f.Add(p.Append(nil, &fuzzState{On: true, N: 1 << 31, Tail: -1}))
	f.Add(bytes.Repeat([]byte{1}, p.Size()))
	f.Add(bytes.Repeat([]byte{2}, p.Size()))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		s := fuzzState{Local: 5, N: 3}
		was := s
		if err := p.Decode(&s, b); err != nil {
			if err.Error() == "" || s != was {
				t.Fatalf("refused with %q, state %v", err, s)
			}
			return
		}
		if got := p.Append(nil, &s); !bytes.Equal(got, b) {
			t.Fatalf("accepted %x, encodes to %x", b, got)
		}
		if s.Local != was.Local {
			t.Fatal("an excluded field was written")
		}
		if r := p.Diff(&s, &was, 4); p.Equal(&s, &was) != (r.Total == 0) {
			t.Fatalf("Equal and Diff disagree: %v", r)
		}
	})
}

// Rule: a graph built from any bytes is walked or refused, without a panic, and the walkers agree on which. Only the
// text may succeed where the others refuse, since it does not show what a map's keys refer to.
func FuzzAny(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
	f.Add([]byte{5, 5, 5, 6, 7, 8, 3, 250, 3, 251, 9})
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<10 || doublings(b) > 10 {
			return
		}
		v := graphFrom(b)
		_, hashErr := HashAny(v)
		_, textErr := AppendTextAny(nil, v)
		r, diffErr := DiffAny(v, v, 4)
		if (hashErr == nil) != (diffErr == nil) || hashErr == nil && textErr != nil {
			t.Fatalf("hash %v, text %v, diff %v", hashErr, textErr, diffErr)
		}
		if r.Total != 0 {
			t.Fatalf("a value differs from itself: %v", r)
		}
	})
}

// doublings counts the bytes that build a value from two others by content. As each may contain the one before twice,
// the walk takes two to the power of that number.
func doublings(b []byte) (n int) {
	for _, op := range b {
		if k := op & 15; k == 3 || k == 5 || k == 6 {
			n++
		}
	}
	return n
}

// graphFrom is a machine that builds values: each byte builds one from those before it, or changes one of them.
func graphFrom(b []byte) any {
	made := []any{nil}
	for i, op := range b {
		last := made[len(made)-1]
		other := made[int(op>>4)%len(made)]
		switch op & 15 {
		case 0:
			made = append(made, int(op))
		case 1:
			made = append(made, string(b[:i]))
		case 2:
			made = append(made, &last)
		case 3:
			made = append(made, []any{last, other})
		case 4:
			made = append(made, map[string]any{"a": last, "b": other})
		case 5:
			made = append(made, struct{ a, b any }{last, other})
		case 6:
			if s, ok := other.([]any); ok {
				s[0] = last // may close a circle of slices
			}
		case 7:
			if p, ok := other.(*any); ok {
				*p = last
			}
		case 8:
			made = append(made, map[*any]int{&last: 1, &other: 2})
		case 9:
			made = append(made, [2]float32{float32(op), -1})
		case 10:
			made = append(made, func() {})
		case 11:
			made = append(made, struct {
				none [0]string
				any  [0]any
				last any
			}{last: last})
		}
	}
	return made[len(made)-1]
}
