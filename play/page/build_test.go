package page

import (
	"strings"
	"testing"
)

// A folder that is no checkout is named.
func TestBuildNeedsACheckout(t *testing.T) {
	dir := t.TempDir()
	if _, err := Build(t.Context(), dir, Options{}); err == nil || !strings.Contains(err.Error(), dir) {
		t.Error(err)
	}
}
