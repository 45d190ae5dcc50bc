package canon

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"
)

// A text has a line for each path. A text that is not that of a state has lines, too.
func TestTextsHaveLines(t *testing.T) {
	for text, want := range map[string][]string{
		"":                     nil,
		"A: 1\nB[0:3]: 7\n":    {`"A" "1"`, `"B[0:3]" "7"`},
		"A: 1":                 {`"A" "1"`},
		"A: 1: 2\n":            {`"A" "1: 2"`},
		"empty: \nbare\n\n: x": {`"empty" ""`, `"bare" ""`, `"" ""`, `"" "x"`},
	} {
		var got []string
		for l := range TextLines([]byte(text)) {
			got = append(got, fmt.Sprintf("%q %q", l.Path, l.Value))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v", text, got)
		}
	}
	for range TextLines([]byte("A: 1\nB: 2\n")) {
		break // a caller may have enough
	}
}

// The elements at the end of a path are those that are appended to the array's path.
func TestElementsOfAPath(t *testing.T) {
	most := strconv.Itoa(math.MaxInt32) // on all machines
	for path, want := range map[string]string{
		"A[0:3]": "A 0 3", "A[0]": "A 0 1", "A[10:20]": "A 10 20", "A[7]": "A 7 8", "A[2].B[1:3]": "A[2].B 1 3", "[0:2]": " 0 2", `M["a"][5]`: `M["a"] 5 6`,
		"A[0:" + most + "]": "A 0 " + most,
		"":                  "", "A": "", "A[3:3]": "", "A[3:2]": "", "A[-1:2]": "", "A[-1]": "", "A[x:2]": "", "A[1:x]": "",
		"A[:2]": "", "A[1:]": "", "A[]": "", "A[03]": "", "A[00]": "", "A[+3]": "", "A[1:+3]": "", "A[0:03]": "", "A[-0]": "", "A[1:2].B": "", "A1:2]": "", "[": "", "]": "", `M["a"]`: "",
		"A[" + most + "0]": "", "A[" + most + "]": "", // there is no element behind it
	} {
		array, from, to, ok := TextLine{Path: []byte(path)}.Elements()
		if ok != (want != "") || ok && fmt.Sprintf("%s %d %d", array, from, to) != want {
			t.Errorf("%s: %s %d %d, %v", path, array, from, to, ok)
		}
		if !ok && (array != nil || from != 0 || to != 0) {
			t.Errorf("%s: no elements, but %q %d %d", path, array, from, to)
		}
		if again := string(AppendElements(nil, array, from, to)); ok && again != path {
			t.Errorf("%s is %s again", path, again)
		}
	}
	if got := string(AppendElements([]byte("x "), []byte("A"), 3, 9)); got != "x A[3:9]" {
		t.Error(got)
	}
}

// The texts of a plan and of the walker are read back as they were written.
func TestTextsAreReadAsTheyAreWritten(t *testing.T) {
	type state struct {
		Grid [9]uint8
		Name [2]struct{ X int16 }
	}
	s := state{Grid: [9]uint8{4: 7}}
	s.Name[1].X = -3
	plan, err := PlanFor[state]()
	if err != nil {
		t.Fatal(err)
	}
	text, err := AppendTextAny(nil, s)
	if err != nil {
		t.Fatal(err)
	}
	for kind, text := range map[string][]byte{"plan": plan.AppendText(nil, &s), "walker": text} {
		got := map[string]string{}
		for l := range TextLines(text) {
			array, from, to, ok := l.Elements()
			for i := from; ok && i < to; i++ {
				got[string(AppendElements(nil, array, i, i+1))] = string(l.Value)
			}
			if !ok {
				got[string(l.Path)] = string(l.Value)
			}
		}
		for i, v := range s.Grid {
			if got[fmt.Sprintf("Grid[%d]", i)] != fmt.Sprint(v) {
				t.Errorf("%s: %v", kind, got)
			}
		}
		if got["Name[1].X"] != "-3" {
			t.Errorf("%s: %v", kind, got)
		}
	}
}
