package weak

import "testing"

func TestDoubleRuns(t *testing.T) {
	Double(1)
	if !Find([][]int{{1, 2}, {3}}, 3) {
		t.Error("not found")
	}
}
