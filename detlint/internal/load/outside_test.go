package load

import (
	"strings"
	"testing"
)

// Rule: outside of a module, the error says so in our own words.
func TestOutsideOfAModule(t *testing.T) {
	t.Setenv("GOWORK", "off")
	_, err := Load(Config{Dir: t.TempDir(), Patterns: []string{"./..."}})
	if err == nil || !strings.Contains(err.Error(), "there is no module here, nor above") {
		t.Error(err)
	}
}
