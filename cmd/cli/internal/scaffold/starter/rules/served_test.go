//go:build starter_server && !starter_world

package rules

import (
	"testing"

	"github.com/tickback/tickback/fleet/hosted"
	"github.com/tickback/tickback/tickbacktest"
)

// Clients come to the states of their server, on bad networks, and what they predict is what it decides.
func TestServed(t *testing.T) {
	tickbacktest.Served(t, hosted.Game[State, Input]{Game: Game, Start: Start}, Seats, FramesPerSecond)
}
