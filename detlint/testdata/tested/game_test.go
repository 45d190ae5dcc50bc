package tested

import (
	"testing"

	"github.com/tickback/tickback/tickbacktest"
)

func TestGame(t *testing.T) { tickbacktest.Check(t, game, tickbacktest.Options[uint8]{}) }
