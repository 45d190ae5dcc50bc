package arena

import (
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
)

// State is a whole match at one frame. It is a plain value without padding: copy it to save it,
// and assign the copy to restore it.
type State struct {
	Fighters [MaxPlayers]Fighter         // by player
	Shots    [MaxPlayers][ShotsEach]Shot // by player, so that no player uses up another's
	Pickups  [Spots]Pickup               // by spot
	Rng      rng.Xorshift128Plus         // only for pickups

	Frame        uint32 // how many steps were made
	SpawnIn      uint32 // ticks until the next pickup
	PhaseTicks   uint16 // ticks since the phase began
	PickupSerial uint16 // how many pickups there have been
	Phase        Phase
	Round        uint8 // 1 for the first; 0 before it
	RoundWinner  uint8 // the winner of the last round: a player's number + 1, or 0 for nobody
	Winner       uint8 // the winner of the match, in the same form, once the phase is MatchOver; before that see Bots
}

// New returns state 0 of the match with this seed; any seed will do. The number of players is
// not part of it: each round starts with those that are there. No bots stand in: see
// [State.WithBots].
func New(seed uint64) State {
	return State{Rng: rng.New(seed), Phase: Waiting}
}

// Stance says whether a fighter takes part in the round.
type Stance uint8

// The stances.
const (
	Absent   Stance = iota // there is no such player, or it came after the round had begun
	Standing               // it fights
	Out                    // it was knocked out
)

var stanceNames = [...]string{"absent", "standing", "out"}

// String names the stance.
func (s Stance) String() string { return name(stanceNames[:], uint8(s)) }

// Guard is what a fighter's shield is doing.
type Guard uint8

// The guards.
const (
	Lowered Guard = iota
	Raised
	Broken // without energy, until there is enough again
)

var guardNames = [...]string{"lowered", "raised", "broken"}

// String names the guard.
func (g Guard) String() string { return name(guardNames[:], uint8(g)) }

// Fighter is one player's part of the state. Unless the fighter is Standing, only the score has
// a meaning.
type Fighter struct {
	Pos, Vel fixed.Vec2 // the centre of its body, and its speed per tick

	Hp     int16 // 0 to FullHp
	Energy int16 // the energy of the shield, 0 to FullEnergy
	Charge int16 // ticks for which Shoot was held, 0 to FullCharge + 1
	Stun   int16 // ticks until it has control again

	DashTicks    int16 // ticks until the dash ends; nothing hurts until then
	DashCooldown int16 // ticks until the next dash may start
	ShotCooldown int16 // ticks until the next shot may be fired
	RapidTicks   int16 // ticks of rapid fire that are left

	FaceX, FaceY int8    // where the stick was last pushed to, not both 0
	Held         Buttons // what was held in the last tick
	Rammed       Set     // the players that the current dash has hit
	HitBy        Set     // the players that hit it last, all in the same tick
	Stance       Stance
	Guard        Guard
	BigShots     uint8 // how many of the next shots are big

	Shots     uint16 // fired in the match
	Dashes    uint16 // started in the match
	Dealt     uint16 // damage done in the match; it decides nothing
	Wins      uint8  // rounds won
	Knockouts uint8  // how many others it knocked out
}

// Shot is a shot in the air, or a free slot for one.
type Shot struct {
	Pos, Vel fixed.Vec2 // the centre, and the speed per tick
	Damage   int16
	Life     int16  // ticks that are left; 0 means a free slot
	Serial   uint16 // its number among the owner's shots, from 1
	Bounces  uint8  // how often it can still bounce
	Big      uint8  // 1 if it has BigRadius
}

// Radius returns the size of the shot.
func (s *Shot) Radius() fixed.Num {
	if s.Big != 0 {
		return BigRadius
	}
	return ShotRadius
}

// PickupKind says what a pickup gives.
type PickupKind uint8

// The kinds of pickups.
const (
	Nothing PickupKind = iota // an empty spot
	Health                    // HealthGain
	Rapid                     // shots without charging, for RapidTicks
	Big                       // BigShots big shots
)

const pickupKinds = 3 // without Nothing

var pickupNames = [...]string{"nothing", "health", "rapid fire", "big shots"}

// String names the kind.
func (k PickupKind) String() string { return name(pickupNames[:], uint8(k)) }

// Pickup is what lies at a spot.
type Pickup struct {
	Life   uint16 // ticks until it is gone
	Serial uint8  // the low bits of its number in the match
	Kind   PickupKind
}

// Phase is the stage that a match has reached.
type Phase uint8

// The phases.
const (
	Waiting   Phase = iota // for two players
	Countdown              // everybody is in place; nobody moves
	Fighting
	RoundOver // those who stand can run about, and do nothing else
	MatchOver // nothing moves any more
)

var phaseNames = [...]string{"waiting", "countdown", "fighting", "round over", "match over"}

// String names the phase.
func (p Phase) String() string { return name(phaseNames[:], uint8(p)) }

func name(names []string, i uint8) string {
	if int(i) < len(names) {
		return names[i]
	}
	return "unknown"
}

// Set is fighters in a state, bit p for player p. A [rollback.PlayerSet] is for as many
// players as any match can have, and would make the state larger.
type Set uint8

// Players returns the set as the engine has it.
func (s Set) Players() rollback.PlayerSet { return rollback.PlayerSet(s) }
