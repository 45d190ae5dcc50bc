package desync

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/canon"
)

// narrow walks through views as a coordinator does with the answers of members.
func narrow(t *testing.T, w *walk, views []view) {
	t.Helper()
	v := &Investigation{coordination: &coordination{}}
	for _, s := range views {
		w.groups = append(w.groups, &member{})
		w.form, w.size = s.form(), max(w.size, s.size())
	}
	w.depth = depthOf(w.form, w.size)
	w.left[0] = []uint64{0}
	for rounds := 0; ; rounds++ {
		q, ok := w.next()
		if !ok {
			return
		}
		if rounds > maxRounds {
			t.Fatal("there is no end to it")
		}
		for i, s := range views {
			a := answer{step: q.step, nodes: make([][fan]uint64, len(q.nodes))}
			for k, n := range q.nodes {
				if q.step == askNodes {
					s.digests(int(q.depth), int(q.level), n, &a.nodes[k])
				} else {
					a.leaves = append(a.leaves, s.leaf(nil, int(q.depth), n))
				}
			}
			w.groups[i].parts = a
		}
		w.take(v)
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
		w := &walk{}
		narrow(t, w, []view{newLinesView(text(a)), newLinesView(text(b))})
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

// Some lines are so long that not all of a part are sent: the fields that are named do
// differ, and a line is reported missing only where it is.
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
		w := &walk{}
		narrow(t, w, []view{newLinesView(texts[0]), newLinesView(texts[1])})
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

// The same path twice is two lines; long values that are equal as far as they are sent are
// told apart; and runs of elements are split.
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
		w := &walk{}
		narrow(t, w, []view{newLinesView([]byte(c.a)), newLinesView([]byte(c.b))})
		var got []string
		for _, f := range w.sorted() {
			got = append(got, fmt.Sprintf("%s: %v %v", f.Path, f.Values[0], f.Values[1]))
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%q and %q: %s, want %s", c.a, c.b, s, c.want)
		}
	}
	w := &walk{}
	narrow(t, w, []view{newLinesView([]byte("A: " + long + "1")), newLinesView([]byte("A: " + long + "2"))})
	if len(w.fields) != 1 || w.fields[0].Values[0].Text == w.fields[0].Values[1].Text || len(w.fields[0].Values[0].Text) > maxValue {
		t.Error(w.fields)
	}
}

// Scalars of an encoding that differ are found wherever they are, also where they lie
// across two parts; a naive comparison says which.
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
		w := &walk{scalar: plan.ScalarAt}
		narrow(t, w, []view{
			&encodedView{plan.Append(nil, a), plan.ScalarAt}, &encodedView{plan.Append(nil, b), plan.ScalarAt},
		})
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
		w := &walk{scalar: plan.ScalarAt}
		narrow(t, w, []view{
			&encodedView{plan.Append(nil, &a), plan.ScalarAt}, &encodedView{plan.Append(nil, &b), plan.ScalarAt},
		})
		if len(w.fields) != 1 || w.fields[0].Path != "Number" || w.total != 1 {
			t.Errorf("%#x: %v", b.Number, w.fields)
		}
	}
}

// Answers of a liar, too few, too many or about nothing, end the walk or name what the
// liar says, and do no other harm.
func TestAWalkWithALiarEnds(t *testing.T) {
	plan, err := canon.PlanFor[[100_000]uint16]()
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 5))
		w := &walk{scalar: plan.ScalarAt, form: formEncoded, size: uint32(plan.Size()), groups: []*member{{}, {}}}
		w.depth = depthOf(w.form, w.size)
		w.left[0] = []uint64{0}
		honest := &encodedView{make([]byte, plan.Size()), plan.ScalarAt}
		rounds := 0
		for q, ok := w.next(); ok; q, ok = w.next() {
			if rounds++; rounds > maxRounds {
				t.Fatal("there is no end to it")
			}
			for i, m := range w.groups {
				if m == nil {
					continue
				}
				m.parts = answer{step: q.step, nodes: make([][fan]uint64, len(q.nodes)), leaves: make([][]byte, len(q.nodes))}
				for k, n := range q.nodes {
					if q.step == askNodes {
						honest.digests(int(q.depth), int(q.level), n, &m.parts.nodes[k])
					} else {
						m.parts.leaves[k] = honest.leaf(nil, int(q.depth), n)
					}
					if i == 1 {
						m.parts.nodes[k][r.IntN(fan)] = r.Uint64()
						m.parts.leaves[k] = m.parts.leaves[k][:r.IntN(len(m.parts.leaves[k])+1)]
					}
				}
				if i == 1 && r.IntN(30) == 0 {
					m.parts.nodes, m.parts.leaves = nil, nil
				}
			}
			w.take(&Investigation{coordination: &coordination{}})
		}
	}
}
