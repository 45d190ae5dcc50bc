package cli_test

import (
	"strings"
	"testing"
	"testing/synctest"
)

// Rule: the text about how to join names everything that is needed.
func TestAServerSaysThatItsTokenIsNeeded(t *testing.T) {
	for token, want := range map[string]string{"": "toybox toy join 127.0.0.1:7001\n", theToken: "toybox toy join 127.0.0.1:7001 and its --token\n"} {
		synctest.Test(t, func(t *testing.T) {
			s := newStage(t)
			m := s.serve("--length", "1s", "--token", token)
			s.wait()
			if said := m.output.String(); !strings.Contains(said, "join with: "+want) {
				t.Errorf("with the token %q it says\n%s", token, said)
			}
		})
	}
}
