package canon

import (
	"fmt"
	"reflect"
	"testing"
)

// Rule: gaps come in order of offset, with the field before each and how often they repeat.
func TestGapsNameWhatToMove(t *testing.T) {
	type unit struct {
		A uint16
		B uint32
		C uint8
	}
	type state struct {
		Flag  bool
		Units [3][2]unit
		Local int32 `canon:"-"`
		_     uint32
		End   uint8
	}
	want := []Gap{
		{"Flag", Padding, 1, 3, 1},
		{"Units[*][*].A", Padding, 6, 2, 6},
		{"Units[*][*].C", Padding, 13, 3, 6},
		{"Local", Excluded, 76, 4, 1},
		{"_", Blank, 80, 4, 1},
		{"End", Padding, 85, 3, 1},
	}
	if got := planFor[state](t).Gaps(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := fmt.Sprint(want[1]); got != "Units[*][*].A: 2 bytes (padding) at offset 6, 6 times" {
		t.Errorf("got %q", got)
	}
	if got := planFor[[4]struct{ A, B uint32 }](t).Gaps(); got != nil {
		t.Errorf("gaps in a gapless type: %v", got)
	}
}
