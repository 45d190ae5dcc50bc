package page

import (
	"strings"
	"testing"
)

// The error for a folder that is not a checkout names it.
func TestBuildNeedsACheckout(t *testing.T) {
	dir := t.TempDir()
	if _, err := Build(t.Context(), dir, Options{}); err == nil || !strings.Contains(err.Error(), dir) {
		t.Error(err)
	}
}
