package skirmish

import "github.com/tickback/tickback/fixed"

// Kind is a kind of unit.
type Kind uint8

// The kinds of units. The zero Kind is none.
const (
	Spearman Kind = 1 + iota // cheap; fights at close range
	Archer                   // weak; shoots from a distance
	Knight                   // fast and strong; fights at close range
	Catapult                 // slow; its stones break buildings, and hit all around
)

// Kinds is the number of kinds.
const Kinds = 4

var kindNames = [...]string{"none", "spearman", "archer", "knight", "catapult"}

// String names the kind.
func (k Kind) String() string { return name(kindNames[:], uint8(k)) }

// Valid reports whether it is a kind of unit.
func (k Kind) Valid() bool { return k >= Spearman && k <= Catapult }

// Rules are the properties of all units of a kind. Distances are cells, times are
// ticks.
type Rules struct {
	Health   fixed.Num
	Damage   fixed.Num // the damage of a blow or shot
	Siege    fixed.Num // the damage of a blow or shot against a building
	Range    fixed.Num // the distance from edge to edge at which it can attack
	Sight    fixed.Num // how far it looks for something to attack
	Speed    fixed.Num // the distance that it moves in a tick
	Radius   fixed.Num // the radius of its body
	Cooldown fixed.Num // ticks from one blow or shot to the next
	Shot     fixed.Num // the speed of its shot in a tick; 0: it strikes
	Splash   fixed.Num // the radius in which a shot hits; 0: only its target
	Cost     int32     // the cost of one unit, in gold
	Training int32     // ticks that training one takes
}

// Of returns the rules of a kind, and zero rules for none.
func (k Kind) Of() *Rules {
	if !k.Valid() {
		return &rules[0]
	}
	return &rules[k]
}

var rules = [Kinds + 1]Rules{
	Spearman: {
		Health: fixed.FromInt(60), Damage: fixed.FromInt(8), Siege: fixed.FromInt(5), Range: fixed.FromRatio(3, 10), Sight: fixed.FromInt(7),
		Speed: fixed.FromRatio(8, 100), Radius: fixed.FromRatio(35, 100), Cooldown: fixed.FromInt(24), Cost: 50, Training: 150,
	},
	Archer: {
		Health: fixed.FromInt(40), Damage: fixed.FromInt(6), Siege: fixed.FromInt(2), Range: fixed.FromInt(6), Sight: fixed.FromInt(9),
		Speed: fixed.FromRatio(85, 1000), Radius: fixed.FromRatio(30, 100), Cooldown: fixed.FromInt(36), Shot: fixed.FromRatio(3, 10),
		Cost: 60, Training: 180,
	},
	Knight: {
		Health: fixed.FromInt(120), Damage: fixed.FromInt(14), Siege: fixed.FromInt(8), Range: fixed.FromRatio(4, 10), Sight: fixed.FromInt(8),
		Speed: fixed.FromRatio(12, 100), Radius: fixed.FromRatio(42, 100), Cooldown: fixed.FromInt(30), Cost: 120, Training: 300,
	},
	Catapult: {
		Health: fixed.FromInt(80), Damage: fixed.FromInt(30), Siege: fixed.FromInt(90), Range: fixed.FromInt(10), Sight: fixed.FromInt(11),
		Speed: fixed.FromRatio(45, 1000), Radius: fixed.FromRatio(48, 100), Cooldown: fixed.FromInt(120), Shot: fixed.FromRatio(2, 10),
		Splash: fixed.FromRatio(15, 10), Cost: 200, Training: 450,
	},
}

// Structure is a kind of building.
type Structure uint8

// The kinds of buildings. The zero Structure is none.
const (
	Keep     Structure = 1 + iota // the heart of a side: a side without one has lost
	Barracks                      // trains units
	Wall                          // stands in the way
	Mine                          // gives gold to the side that holds it; cannot be broken
)

// Structures is the number of kinds of buildings.
const Structures = 4

var structureNames = [...]string{"none", "keep", "barracks", "wall", "mine"}

// String names the kind of building.
func (b Structure) String() string { return name(structureNames[:], uint8(b)) }

// Valid reports whether it is a kind of building.
func (b Structure) Valid() bool { return b >= Keep && b <= Mine }

// Plan has the properties of all buildings of a kind.
type Plan struct {
	Side   int       // cells along each side
	Health fixed.Num // 0: it cannot be broken
	Cost   int32     // the cost in gold; 0: it cannot be built
	Work   int32     // ticks until a new one is finished
	Income int32     // gold a second for its side
	Trains bool      // it trains units
}

// Of returns the plan of a kind of building, and a zero plan for none.
func (b Structure) Of() *Plan {
	if !b.Valid() {
		return &plans[0]
	}
	return &plans[b]
}

var plans = [Structures + 1]Plan{
	Keep:     {Side: 4, Health: fixed.FromInt(3000), Income: 8, Trains: true},
	Barracks: {Side: 3, Health: fixed.FromInt(1200), Cost: 250, Work: 450, Trains: true},
	Wall:     {Side: 1, Health: fixed.FromInt(400), Cost: 15, Work: 90},
	Mine:     {Side: 2, Income: 6},
}

func name(names []string, i uint8) string {
	if int(i) < len(names) {
		return names[i]
	}
	return "unknown"
}
