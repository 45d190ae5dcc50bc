package foyer_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/play/foyer"
)

// Rule: a peer that has left has no ping, and a silent peer has no good one.
func TestOnlyPeersThatAnswerHaveAGoodPing(t *testing.T) {
	const ms = time.Millisecond
	near := tickback.LinkStats{Connected: true, RoundTrip: 20 * ms}
	gone := tickback.LinkStats{RoundTrip: 5 * ms}
	silent := tickback.LinkStats{Connected: true, RoundTrip: 20 * ms, Quiet: 2 * time.Second}
	for _, c := range []struct {
		name  string
		links []tickback.LinkStats
		want  time.Duration
		ok    bool
	}{
		{"none", nil, 0, false},
		{"near", []tickback.LinkStats{near}, 20 * ms, true},
		{"gone", []tickback.LinkStats{gone}, 0, false},
		{"one of two has gone", []tickback.LinkStats{gone, near}, 20 * ms, true},
		{"silent", []tickback.LinkStats{near, silent}, 2 * time.Second, true},
	} {
		if got, ok := foyer.Ping(c.links); got != c.want || ok != c.ok {
			t.Errorf("%s: %v, %v; want %v, %v", c.name, got, ok, c.want, c.ok)
		}
	}
}
