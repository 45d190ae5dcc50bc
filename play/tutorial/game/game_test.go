package game

import (
	"testing"

	"github.com/tickback/tickback/tickbacktest"
)

func TestDeterminism(t *testing.T) {
	tickbacktest.Check(t, Rules, tickbacktest.Options[Input]{Players: Seats})
}
