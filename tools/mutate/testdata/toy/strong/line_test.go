package strong

import (
	"reflect"
	"runtime"
	"testing"
)

// TestLine stands for tests that do not bear that functions are copied, such as those
// that count allocations: copies move what comes after them.
func TestLine(t *testing.T) {
	pc := reflect.ValueOf((*Counter).N).Pointer()
	if _, line := runtime.FuncForPC(pc).FileLine(pc); line != 40 {
		t.Errorf("line %d", line)
	}
}
