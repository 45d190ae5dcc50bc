package desync

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/canon"
)

// narrow walks through views as a coordinator does with the answers of members.
func narrow(t *testing.T, l layout, views ...view) *walk {
	t.Helper()
	depth := 0
	for _, v := range views {
		depth = max(depth, v.depth())
	}
	w := newWalk(l, depth, slices.Repeat([]bool{true}, len(views)))
	for rounds := 0; ; rounds++ {
		q, ok := w.next()
		if !ok {
			return &w
		}
		if rounds > maxRounds {
			t.Fatal("there is no end to it")
		}
		var told [][][]byte
		for _, v := range views {
			told = append(told, q.partsOf(v))
		}
		w.take(told)
	}
}

// Lines that were changed, added and removed are found, and no others, whatever the
// number of lines: a naive comparison says which.
func TestLinesThatDifferAreFound(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 3))
		var a, b []string
		want := map[string]bool{}
		for i := range r.IntN(3000) {
			path, value := fmt.Sprintf("Units[%d].Name", i), fmt.Sprint(r.IntN(5))
			x, y := path+": "+value, path+": "+value
			switch r.IntN(200) {
			case 0:
				x = ""
			case 1:
				y = ""
			case 2:
				y += "!"
			}
			if x != y {
				want[path] = true
			}
			a, b = append(a, x), append(b, y)
		}
		text := func(lines []string) []byte {
			lines = slices.DeleteFunc(lines, func(s string) bool { return s == "" })
			return []byte(strings.Join(lines, "\n"))
		}
		w := narrow(t, layout{}, newLinesView(text(a)), newLinesView(text(b)))
		if int(w.total) != len(want) || w.atLeast || len(w.fields) != len(want) {
			t.Fatalf("seed %d: %d of %d differences", seed, w.total, len(want))
		}
		for _, f := range w.sorted() {
			if !want[f.Path] {
				t.Errorf("seed %d: %v", seed, f)
			}
		}
	}
}

// Some lines are so long that not all lines of a part are sent: the fields that are named
// do differ, and a line is only reported missing if it is.
func TestLongLinesAreNotMissing(t *testing.T) {
	more := 0
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 8))
		var texts [2][]byte
		var values [2]map[string]string
		for side := range values {
			values[side] = map[string]string{}
			for i := range 240 {
				path := fmt.Sprintf("Units[%d].Name", i)
				if r.IntN(50) > 0 {
					value := strings.Repeat("x", i) + strings.Repeat("y", r.IntN(3)*r.IntN(200))
					values[side][path] = value
					texts[side] = fmt.Appendf(texts[side], "%s: %s\n", path, value)
				}
			}
		}
		w := narrow(t, layout{}, newLinesView(texts[0]), newLinesView(texts[1]))
		for _, f := range w.sorted() {
			if values[0][f.Path] == values[1][f.Path] {
				t.Errorf("seed %d: %v is the same", seed, f)
			}
			for side, v := range f.Values {
				value, there := values[side][f.Path]
				shown := v.Text
				if i := strings.Index(shown, " (hash"); i >= 0 {
					shown = shown[:i]
				}
				if v.Kind == Missing && there || v.Kind == Present && (!there || !strings.HasPrefix(value, shown)) {
					t.Errorf("seed %d: %v is said of %q", seed, f, value)
				}
				if v.Kind == Untold {
					t.Errorf("seed %d: %v: nothing is known of one side", seed, f)
				}
			}
		}
		if w.atLeast {
			more++
		}
	}
	if more == 0 {
		t.Error("there was room for all lines: this tests nothing")
	}
}

// Two lines may have the same path; long values that are equal as far as they are sent are
// distinguished; and runs of elements are split.
func TestLinesInSpecialForm(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, c := range []struct{ a, b, want string }{
		{"Head: 1\nHead: 2", "Head: 1\nHead: 3", "Head: 2 3"},
		{"Head: 1\nHead: 2", "Head: 1", "Head: 2 (missing)"},
		{"Grid[0:8]: 0", "Grid[0:3]: 0\nGrid[3]: 1\nGrid[4:8]: 0", "Grid[3]: 0 1"},
		{"Grid[0:8]: 0", "Grid[0:9]: 0", "Grid[8]: (missing) 0"},
		{"Grid[4096:9000]: 0", "Grid[4096:4160]: 0\nGrid[4160:4161]: 1\nGrid[4161:9000]: 0", "Grid[4160:4224]: 0 (missing)|Grid[4160]: (missing) 1|Grid[4161:4224]: (missing) 0"},
		{"no path", "no path: 0", "no path:  0"},
		{"", "A: 1", "A: (missing) 1"},
		{"A[x:y]: 1", "A[x:y]: 2", "A[x:y]: 1 2"},
	} {
		w := narrow(t, layout{}, newLinesView([]byte(c.a)), newLinesView([]byte(c.b)))
		var got []string
		for _, f := range w.sorted() {
			got = append(got, fmt.Sprintf("%s: %v %v", f.Path, f.Values[0], f.Values[1]))
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%q and %q: %s, want %s", c.a, c.b, s, c.want)
		}
	}
	w := narrow(t, layout{}, newLinesView([]byte("A: "+long+"1")), newLinesView([]byte("A: "+long+"2")))
	if len(w.fields) != 1 || w.fields[0].Values[0].Text == w.fields[0].Values[1].Text || len(w.fields[0].Values[0].Text) > maxValue {
		t.Error(w.fields)
	}
}

// Scalars of an encoding that differ are found wherever they are, even if they span two
// parts; a naive comparison says which.
func TestScalarsThatDifferAreFound(t *testing.T) {
	type odd struct {
		First byte // so that nothing is aligned
		List  [5000]struct {
			A uint64
			B int16
			C bool
		}
	}
	plan, err := canon.PlanFor[odd]()
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 4))
		a, b := &odd{}, &odd{}
		want := map[string]bool{}
		for range r.IntN(MaxFields) {
			i := r.IntN(len(b.List))
			switch r.IntN(3) {
			case 0:
				b.List[i].A++
			case 1:
				b.List[i].B--
			case 2:
				b.List[i].C = true
			}
		}
		for _, d := range plan.Diff(a, b, MaxFields).Differences {
			want[fmt.Sprintf("%s: %s %s", d.Path, d.A, d.B)] = true
		}
		l := layout{plan.ScalarAt, plan.Size()}
		w := narrow(t, l, &plainView{l, plan.Append(nil, a)}, &plainView{l, plan.Append(nil, b)})
		if len(w.fields) != len(want) || int(w.total) != len(want) {
			t.Fatalf("seed %d: %d differences, %d are wanted", seed, w.total, len(want))
		}
		for _, f := range w.fields {
			if s := fmt.Sprintf("%s: %v %v", f.Path, f.Values[0], f.Values[1]); !want[s] {
				t.Errorf("seed %d: %s", seed, s)
			}
		}
	}
}

// A scalar that lies across two parts is found, whichever of its bytes differ.
func TestScalarsAcrossPartsAreFound(t *testing.T) {
	type odd struct {
		Before [leafBytes - 3]byte
		Number uint64 // three of its bytes are in the first part
		After  [leafBytes]byte
	}
	plan, err := canon.PlanFor[odd]()
	if err != nil {
		t.Fatal(err)
	}
	for bits := uint64(1); bits < 1<<8; bits++ { // each byte of the number, with and without others
		a, b := odd{}, odd{}
		for i := range 8 {
			b.Number |= bits >> i & 1 << (8 * i)
		}
		l := layout{plan.ScalarAt, plan.Size()}
		w := narrow(t, l, &plainView{l, plan.Append(nil, &a)}, &plainView{l, plan.Append(nil, &b)})
		if len(w.fields) != 1 || w.fields[0].Path != "Number" || w.total != 1 {
			t.Errorf("%#x: %v", b.Number, w.fields)
		}
	}
}

// Answers from a liar, with too few items, too many, or nonsense, end the walk or name
// what the liar says, and do no other harm.
func TestAWalkWithALiarEnds(t *testing.T) {
	plan, err := canon.PlanFor[[100_000]uint16]()
	if err != nil {
		t.Fatal(err)
	}
	l := layout{plan.ScalarAt, plan.Size()}
	honest := &plainView{l, make([]byte, plan.Size())}
	named := 0
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 5))
		w := newWalk(l, honest.depth(), []bool{true, true})
		rounds := 0
		for q, ok := w.next(); ok; q, ok = w.next() {
			if rounds++; rounds > maxRounds {
				t.Fatal("there is no end to it")
			}
			lie := q.partsOf(honest)
			for k, part := range lie {
				if len(part) > 0 {
					part[r.IntN(len(part))]++
				}
				if r.IntN(10) == 0 {
					lie[k] = part[:r.IntN(len(part)+1)]
				}
			}
			if r.IntN(30) == 0 {
				lie = nil
			}
			w.take([][][]byte{q.partsOf(honest), lie})
		}
		named += len(w.fields)
	}
	if named < 10 {
		t.Errorf("%d fields are named: this tests little", named)
	}
}

// A machine that has stopped answering ends the comparison of two, and what has yet to be searched counts.
func TestWhatIsLeftOfAWalkCounts(t *testing.T) {
	plan, err := canon.PlanFor[[100_000]uint16]()
	if err != nil {
		t.Fatal(err)
	}
	l := layout{plan.ScalarAt, plan.Size()}
	one, other := &plainView{l, make([]byte, plan.Size())}, &plainView{l, bytes.Repeat([]byte{1}, plan.Size())}
	w := newWalk(l, one.depth(), []bool{true, true})
	q, _ := w.next()
	w.take([][][]byte{q.partsOf(one), q.partsOf(other)})
	w.tells[1] = false
	if _, more := w.next(); more || !w.atLeast || w.total != 49 { // 4096 bytes each
		t.Errorf("more: %v, at least: %v, %d", more, w.atLeast, w.total)
	}
	for _, tells := range [][]bool{nil, {true}, {true, false}} {
		w := newWalk(l, 2, tells)
		if _, more := w.next(); more || w.atLeast || w.total != 0 {
			t.Errorf("%v: more: %v, at least: %v, %d", tells, more, w.atLeast, w.total)
		}
	}
}
