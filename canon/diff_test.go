package canon

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Rule: a difference is named by its path and shows both values as the type prints them.
func TestDiffNamesFieldsAndValues(t *testing.T) {
	p, a, b := planFor[world](t), aWorld(), aWorld()
	b.P[1].Vy, b.P[1].Stance, b.P[0].alive, b.Grid[63], b.Shake = 500, standing, false, 1, -5
	want := strings.Join([]string{
		"P[0].alive: true != false",
		"P[1].Vy: 460 != 500",
		"P[1].Stance: crouching != standing",
		"Grid[63]: 0 != 1",
	}, "\n")
	if got := p.Diff(a, b, 10).String(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// Rule: at most max differences are listed, all are counted.
func TestDiffIsBoundedAndCountsAll(t *testing.T) {
	p, a, b := planFor[world](t), aWorld(), aWorld()
	for i := range b.Grid {
		b.Grid[i] += 7
	}
	for _, max := range []int{-1, 0, 1, 63, 64, 65} {
		r := p.Diff(a, b, max)
		if want := min(64, max); len(r.Differences) != want && max >= 0 || r.Total != 64 {
			t.Errorf("max %d: %d listed of %d", max, len(r.Differences), r.Total)
		}
	}
	if got := p.Diff(a, b, 1).String(); got != "Grid[0]: 0 != 7\nand 63 more" {
		t.Errorf("got %q", got)
	}
	if got := p.Diff(a, a, 1).String(); got != "no difference" {
		t.Errorf("got %q", got)
	}
}

// Rule: for every type, the number of differences is the number of scalars whose encodings differ; it is zero exactly
// if Equal holds.
func TestDiffCountsWhatDiffers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := drawType(t, 4)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "memory"), 1))
		v, w := randomValue(typ, rng), randomValue(typ, rng)
		l := layoutsOf(t, typ)["native"]
		// Make some leaves equal: decode a part of one encoding over the other value.
		enc := append(l.encode(pointerTo(v)), 0)
		for i, c := range l.encode(pointerTo(w)) {
			if rng.IntN(2) == 0 {
				enc[i] = c
			}
		}
		move(pointerTo(w), bytesPointer(enc), l.dec)
		d := differ{max: 1 << 20}
		d.node(l.root, pointerTo(v), pointerTo(w))
		if want := countLeaves(l.root, l.encode(pointerTo(v)), enc); d.report.Total != want || len(d.report.Differences) != want {
			t.Fatalf("%v: %d differences, want %d:\n%v", typ, d.report.Total, want, d.report)
		}
		for _, x := range d.report.Differences {
			if x.A == x.B {
				t.Fatalf("%v: %v", typ, x)
			}
		}
	})
}

// countLeaves counts the scalars in which two encodings differ.
func countLeaves(n *node, a, b []byte) int {
	total := 0
	switch n.form {
	case formScalar:
		if string(a[:n.enc]) != string(b[:n.enc]) {
			return 1
		}
	case formArray:
		for i := range n.count {
			total += countLeaves(n.elem, a[i*n.elem.enc:], b[i*n.elem.enc:])
		}
	case formStruct:
		for _, f := range n.fields {
			total += countLeaves(f.node, a[f.enc:], b[f.enc:])
		}
	}
	return total
}

// Rule: two values with the same text are distinguished by their underlying values.
func TestDiffTellsEqualTextsApart(t *testing.T) {
	p := planFor[[2]speed](t)
	if got := p.Diff(&[2]speed{1, 5}, &[2]speed{11, 6}, 2).String(); got != "[0]: v1 (1) != v1 (11)\n[1]: v5 != v6" {
		t.Errorf("got %q", got)
	}
	nans := planFor[float32](t, AllowFloats)
	a, b := float32FromBits(0x7FC00001), float32FromBits(0x7FC00002)
	if got := nans.Diff(&a, &b, 1).String(); got != "(value): NaN (0x7fc00001) != NaN (0x7fc00002)" {
		t.Errorf("got %q", got)
	}
}

// Rule: a String method that panics does not prevent the report.
func TestPanickingStringFallsBack(t *testing.T) {
	p := planFor[struct{ S stance }](t)
	a, b := struct{ S stance }{200}, struct{ S stance }{crouching}
	if got := p.Diff(&a, &b, 1).String(); got != "S: 200 != crouching" {
		t.Errorf("got %q", got)
	}
}

// Rule: finding a few differences in a large state costs about as much as comparing it. This test checks that
// differences on both sides of every block border are found.
func TestDiffFindsDifferencesInAnyBlock(t *testing.T) {
	type cell struct {
		A uint32
		B uint8
	}
	padded, plain := planFor[[9000]cell](t), planFor[[9000]uint8](t)
	for _, i := range []int{0, 511, 512, 1023, 1024, 2999, 4095, 4096, 8999} {
		var a, b [9000]cell
		var c, d [9000]uint8
		b[i].B, d[i] = 1, 1
		if r := padded.Diff(&a, &b, 2); r.Total != 1 || r.Differences[0].Path != pathOf(i)+".B" {
			t.Errorf("element %d: %v", i, r)
		}
		if r := plain.Diff(&c, &d, 2); r.Total != 1 || r.Differences[0].Path != pathOf(i) {
			t.Errorf("element %d: %v", i, r)
		}
	}
}
