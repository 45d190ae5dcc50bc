package app

import (
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/play/words"
)

// The names of units and buildings, for people.
var (
	unitNames = map[skirmish.Kind]string{
		skirmish.Spearman: words.K("spearman"), skirmish.Archer: words.K("archer"),
		skirmish.Knight: words.K("knight"), skirmish.Catapult: words.K("catapult"),
	}
	buildingNames = map[skirmish.Structure]string{
		skirmish.Keep: words.K("keep"), skirmish.Barracks: words.K("barracks"),
		skirmish.Wall: words.K("wall"), skirmish.Mine: words.K("mine"),
	}
)
