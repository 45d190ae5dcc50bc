package canon

import (
	"strings"
	"testing"
)

// Rule: one line per leaf with its full path; targets follow the root, once.
func TestTextAnyHasOneLeafALine(t *testing.T) {
	want := strings.TrimLeft(`
(value): *canon.gameWorld #1
Root: *canon.gameNode #2
Tail: *canon.gameNode #3
Items: map[string]int32 #4 of length 2
Shape.(canon.item).Name: "circle"
Shape.(canon.item).Count: 3
Table: map[[2]int8]*canon.item #5 of length 1
Log[0]: "a"
Log[1]: "b"
Grid[0:1000]: 0
Root.Item.Name: "root"
Root.Item.Count: 1
Root.kids[0]: *canon.gameNode #3
Root.kids[1]: *canon.gameNode #6
Root.Up: nil
Tail.Item.Name: "kid"
Tail.Item.Count: 2
Tail.kids: length 0
Tail.Up: *canon.gameNode #2
Items["axe"]: 2
Items["sword"]: 1
Table[{1, 2}]: *canon.item #7
Root.kids[1].Item.Name: "late"
Root.kids[1].Item.Count: 3
Root.kids[1].kids: length 0
Root.kids[1].Up: *canon.gameNode #2
Table[{1, 2}].Name: "t"
Table[{1, 2}].Count: 1
`, "\n")
	got, err := AppendTextAny(nil, aGame())
	if err != nil || string(got) != want {
		t.Errorf("%v, got:\n%s", err, got)
	}
}

// Rule: unexported fields print like others, String methods included.
func TestTextAnyUsesStringMethods(t *testing.T) {
	v := struct {
		s    stance
		m    map[stance]speed
		i    any
		none any
	}{crouching, map[stance]speed{standing: 3}, stance(77), nil}
	got, err := AppendTextAny(nil, v)
	if want := "s: crouching\nm: map[canon.stance]canon.speed #1 of length 1\ni.(canon.stance): 77\nnone: nil\nm[standing]: v3\n"; err != nil || string(got) != want {
		t.Errorf("%v, got:\n%s", err, got)
	}
	if got, _ := AppendTextAny(nil, nil); string(got) != "(value): nil\n" {
		t.Errorf("got %q", got)
	}
}

// Rule: a path spells out a bounded number of references.
func TestPathsOfLongChainsStayShort(t *testing.T) {
	got, err := AppendTextAny(nil, listOf(100))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(got)) {
		if len(line) > 150 {
			t.Fatalf("long line %q", line)
		}
	}
	if !strings.Contains(string(got), "\n#17.next: *canon.listNode #18\n") {
		t.Errorf("no new start at a number:\n%s", got)
	}
}
