package rollback

import (
	"fmt"
	"iter"
	"math/bits"
	"strings"
)

// Player is the number of a player: 0 to the number of players minus 1.
type Player uint8

// MaxPlayers is the maximum number of players in a match.
const MaxPlayers = 16

// index returns p, which is below [MaxPlayers], in a way that lets the compiler omit
// bounds checks.
func (p Player) index() int { return int(p & (MaxPlayers - 1)) }

// bit returns the set with only p in it.
func (p Player) bit() PlayerSet { return 1 << p.index() }

// PlayerSet is a set of players: bit p stands for player p.
type PlayerSet uint16

// SetOf returns the set of these players. Numbers of [MaxPlayers] and above are ignored.
func SetOf(players ...Player) PlayerSet {
	var s PlayerSet
	for _, p := range players {
		if p < MaxPlayers {
			s |= p.bit()
		}
	}
	return s
}

// everyone is the set of the first n players.
func everyone(n int) PlayerSet { return PlayerSet(1<<n - 1) }

// Has reports whether p is in the set.
func (s PlayerSet) Has(p Player) bool { return p < MaxPlayers && s&p.bit() != 0 }

// Len counts the players in the set.
func (s PlayerSet) Len() int { return bits.OnesCount16(uint16(s)) }

// All yields the players of the set in ascending order.
func (s PlayerSet) All() iter.Seq[Player] {
	return func(yield func(Player) bool) {
		for ; s != 0; s &= s - 1 {
			if !yield(s.first()) {
				return
			}
		}
	}
}

// first returns the lowest player of a set that is not empty.
func (s PlayerSet) first() Player { return Player(bits.TrailingZeros16(uint16(s))) }

// String names the players: "player 2", "players 0, 3 and 5", "no player".
func (s PlayerSet) String() string {
	var names []string
	for p := range s.All() {
		names = append(names, fmt.Sprint(uint8(p)))
	}
	switch n := len(names); n {
	case 0:
		return "no player"
	case 1:
		return "player " + names[0]
	default:
		return "players " + strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}
