package metrics_test

import (
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/metrics"
	"github.com/tickback/tickback/rollback"
)

// State is a game that counts its frames.
type State struct{ Frames uint32 }

var game = rollback.Game[State, uint8]{Step: func(s *State, _ *rollback.Tick[uint8]) { s.Frames++ }}

// A match that is shown to Prometheus. In a program, serve the registry with promhttp.HandlerFor.
func ExampleNewCollector() {
	c := metrics.NewCollector(metrics.Config{})
	registry := prometheus.NewRegistry()
	registry.MustRegister(c)

	match, err := tickback.Local(game, tickback.Options[State, uint8]{
		Sample: func(tickback.Player) uint8 { return 0 },
		Match:  tickback.Parameters{Frames: 30},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer match.Close()
	for next := time.Now(); ; {
		wait, err := match.Update()
		if err != nil {
			fmt.Println(err)
			return
		}
		_, over := match.Outcome()
		if now := time.Now(); over || now.After(next) {
			c.Observe("table 4", match.Stats())
			next = now.Add(time.Second)
		}
		if over {
			break
		}
		match.Wait(wait)
	}

	families, err := registry.Gather()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range families {
		if f.GetName() == "tickback_frames_total" {
			fmt.Println(f.GetName(), f.GetMetric()[0].GetCounter().GetValue())
		}
	}
	c.Remove("table 4")
	// Output:
	// tickback_frames_total 30
}
