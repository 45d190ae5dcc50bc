package served

import (
	"testing"
	"time"

	"github.com/tickback/tickback/session/peer"
)

// Rule: an update reaches back to what the client has acknowledged, but no farther than 300 ms and three ticks, as
// long as its acknowledgements arrive as soon as they can, and it was sent a state since then. With partial sight, or
// plain updates, the acknowledged state is the baseline.
func TestWhatABaselineIs(t *testing.T) {
	const now = 1000
	for name, c := range map[string]struct {
		behind, want Frame
		told         Frame // the newest state was sent so many ticks ago; 0 means in the last one
		way          time.Duration
		varies       time.Duration
		partial      bool
		plain        bool
	}{
		"near":                  {behind: 3, want: 3, way: 100 * time.Millisecond},
		"just as far":           {behind: 6, want: 6, way: 250 * time.Millisecond},
		"far":                   {behind: 7, want: 6, way: 250 * time.Millisecond},
		"very far":              {behind: 40, want: 6, way: 2 * time.Second},
		"late":                  {behind: 8, want: 8, way: 250 * time.Millisecond},
		"a way that varies":     {behind: 8, want: 6, way: 250 * time.Millisecond, varies: 25 * time.Millisecond},
		"later than it varies":  {behind: 9, want: 9, way: 250 * time.Millisecond, varies: 25 * time.Millisecond},
		"far, a part":           {behind: 7, want: 7, way: 250 * time.Millisecond, partial: true},
		"far, after a desync":   {behind: 7, want: 7, way: 250 * time.Millisecond, plain: true},
		"it has lost very many": {behind: 60, want: 60, way: 250 * time.Millisecond},
		"far, told just then":   {behind: 40, want: 6, told: 6, way: 2 * time.Second},
		"far, and told nothing": {behind: 40, want: 40, told: 7, way: 2 * time.Second},
	} {
		cfg := ServerConfig{Game: Game{TickRate: 20, Partial: c.partial}}
		k := client{pipe: &peer.Pipe{Conn: &peer.Conn{RoundTrip: peer.RoundTrip{Smoothed: c.way, Deviation: c.varies}}}, view: view{any: true, newest: now - c.behind, plain: c.plain}}
		k.view.told.add(now - max(c.told, 1))
		if got := k.baseline(&cfg, now); got != now-c.want {
			t.Errorf("%s: %d ticks ago, want %d", name, now-got, c.want)
		}
	}
	slow := client{pipe: &peer.Pipe{Conn: &peer.Conn{RoundTrip: peer.RoundTrip{Smoothed: 30 * time.Millisecond}}}, view: view{any: true, newest: now - 3}}
	slow.view.told.add(now - 1)
	if got := slow.baseline(&ServerConfig{Game: Game{TickRate: 2}}, now); got != now-3 {
		t.Errorf("at two ticks a second, after two lost updates: %d ticks ago", now-got)
	}
	cfg := ServerConfig{Game: Game{TickRate: 20}}
	k := client{pipe: &peer.Pipe{Conn: &peer.Conn{}}, view: view{any: true}}
	if got := k.baseline(&cfg, 2); got != 0 {
		t.Errorf("in the beginning it is state %d", got)
	}
}
