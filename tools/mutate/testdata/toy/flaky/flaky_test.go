package flaky

import (
	"os"
	"strings"
	"testing"
)

func TestDouble(t *testing.T) {
	if Double(3) != 6 || Limit != 3 {
		t.Error(Double(3), Limit)
	}
}

// TestFlaky fails in a build that replaces no file.
func TestFlaky(t *testing.T) {
	_, overlay, _ := strings.Cut(os.Getenv("GOFLAGS"), "-overlay=")
	if b, err := os.ReadFile(overlay); err == nil && strings.Contains(string(b), "{}") {
		t.Error("nothing is replaced")
	}
}
