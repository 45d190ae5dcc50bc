package tanks

import (
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rng"
)

// State is a whole match at one frame. It is a plain value without padding: copy it to save it,
// and assign the copy to restore it.
type State struct {
	Tanks  [MaxPlayers]Tank               // by player
	Shots  [MaxPlayers][ShotsEach]Shot    // by player
	Trails [MaxPlayers][Rewind]fixed.Vec2 // by player, see Trail
	Lived  [MaxPlayers]uint16             // by player, which slots of Trails are of its current life
	Rng    rng.Xorshift128Plus            // only for spawns; zero in a state that Sight has blanked

	Frame  uint32 // how many steps were made
	EndsAt uint32 // the frame in which the match is over; 0 means never
}

// New returns state 0 of the match with this seed; any seed will do. The number of players is not
// part of it: a tank appears as soon as its player is there.
func New(seed uint64) State {
	return State{Rng: rng.New(seed), EndsAt: MatchTicks}
}

// Endless returns s as the state of a match that does not end.
func (s State) Endless() State {
	s.EndsAt = 0
	return s
}

// Stance says what state a tank is in.
type Stance uint8

// The stances.
const (
	Absent Stance = iota // there is no such player
	Alive                // it drives and shoots
	Out                  // it was destroyed, and waits for its next life
	Hidden               // only in what Sight leaves: its player is there, and out of sight
)

var stanceNames = [...]string{"absent", "alive", "out", "hidden"}

// String names the stance.
func (s Stance) String() string {
	if int(s) < len(stanceNames) {
		return stanceNames[s]
	}
	return "unknown"
}

// Tank is one player's part of the state. Unless it is Alive or Out, only the score has a meaning.
// A tank that is Out is a wreck, which is in nobody's way.
type Tank struct {
	Pos     fixed.Vec2 // its centre
	Heading fixed.Num  // where it looks, in radians, 0 to TwoPi; see Vec2 for the direction
	Held    Input      // what it did last

	Hp        int16 // 0 to FullHp
	Reload    uint8 // ticks until it can shoot again
	RespawnIn uint8 // ticks until it lives again, while it is Out
	Stance    Stance
	Spawn     uint8 // while it is Out: the spawn at which it will appear, + 1; 0 if that is hidden

	Shots  uint16 // fired in the match; the next one takes slot Shots % ShotsEach
	Kills  uint16 // the number of others that it destroyed in the match
	Deaths uint16 // how often it was destroyed in the match
}

// scoreOnly returns a tank with t's score, in a stance.
func (t *Tank) scoreOnly(s Stance) Tank {
	return Tank{Stance: s, Kills: t.Kills, Deaths: t.Deaths}
}

// Shot is a shot in the air, or a free slot for one.
type Shot struct {
	Pos, Vel fixed.Vec2 // the centre, and the speed per tick
	Life     uint32     // ticks that are left; 0 means a free slot
	Lag      uint32     // how many ticks it goes back: it hits tanks where they were then
}

// none reports whether the slot is empty: all of its fields are zero.
func (s *Shot) none() bool {
	return s.Life|s.Lag == 0 && s.Pos.X|s.Pos.Y|s.Vel.X|s.Vel.Y == 0
}
