package match

import (
	"strings"
	"testing"
)

// Every profile of a network is in the help.
func TestNetworkTable(t *testing.T) {
	table := networkTable()
	for _, words := range []string{"lan", "wifi", "mobile", "intercontinental", "awful", "50ms exponential", "20 in 1000, of 5, lose 60%", "none"} {
		if !strings.Contains(table, words) {
			t.Errorf("no %q in:\n%s", words, table)
		}
	}
	for line := range strings.Lines(table) {
		if len([]rune(line)) > 90 {
			t.Errorf("too long: %s", line)
		}
	}
}
