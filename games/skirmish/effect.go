package skirmish

import (
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rollback/effects"
)

// Effects, for sounds and messages. Their keys are the rows of buildings, or a side.
var (
	Finished = effects.OneShot[Structure](1, "building finished")
	Trained  = effects.OneShot[fixed.Vec2](2, "unit trained")
	Taken    = effects.OneShot[uint8](3, "mine taken") // by a side
	Broken   = effects.OneShot[fixed.Vec2](4, "building broken")
	Beaten   = effects.OneShot[uint8](5, "side beaten").OnlyConfirmed()
)

func declarations() []effects.Declaration {
	return []effects.Declaration{Finished, Trained, Taken, Broken, Beaten}
}
