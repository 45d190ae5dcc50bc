package rollback

// HashedBytes is how many bytes of states are hashed per frame on average, at most, if no interval is configured and
// the longest interval does not prevent it: see [HashInterval].
const HashedBytes = 8 << 10

// MostHashInterval is the longest interval, in frames, at which an engine hashes states if [Config.HashEvery] is not
// set: a second at 60 ticks/s.
const MostHashInterval = 60

// HashInterval returns the default interval, in frames, at which states of a given size are hashed: the shortest that
// divides most and hashes at most [HashedBytes] per frame on average, or most if there is none. It depends on nothing
// else, so all machines of a match arrive at the same interval, whatever a hash costs them.
func HashInterval(bytes, most int) int {
	for every := 1; every < min(most, 1<<16); every++ {
		if most%every == 0 && (bytes-1)/every < HashedBytes {
			return every
		}
	}
	return max(most, 1)
}

// DefaultHashInterval returns the [HashInterval] of a game's states. It is 1 for an [OwnMemory], whose hashes may cost
// much or little for their size.
func DefaultHashInterval[S any, I comparable](game Definition[S, I], most int) int {
	return HashInterval(game.hashed(), most)
}

// hashed returns the size of an encoded state, or 0 if the type is not valid as a state, which build refuses.
func (g Game[S, I]) hashed() int {
	plan, err := g.planOf()
	if err != nil {
		return 0
	}
	return plan.Size()
}

func (g OwnMemory[S, V, I]) hashed() int { return 0 }
