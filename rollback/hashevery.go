package rollback

// HashedBytes is how many bytes of states are hashed in a frame at most, on average, if nothing
// else is said and the interval is not bounded: see [HashInterval].
const HashedBytes = 8 << 10

// MostHashInterval is the longest interval, in frames, at which an engine hashes states if
// [Config.HashEvery] does not say it: a second at 60 ticks/s.
const MostHashInterval = 60

// HashInterval returns at which interval, in frames, states of so many bytes are hashed if nothing
// else is said: the shortest that divides most, and at which at most [HashedBytes] are hashed in a
// frame on average; or most, if none does. It depends on nothing else, so that all machines of a
// match come to the same, whatever a hash costs them.
func HashInterval(bytes, most int) int {
	for every := 1; every < min(most, 1<<16); every++ {
		if most%every == 0 && (bytes-1)/every < HashedBytes {
			return every
		}
	}
	return max(most, 1)
}

// DefaultHashInterval is the [HashInterval] of a game's states. It is 1 for an [OwnMemory], whose
// hashes may cost much or little for their size.
func DefaultHashInterval[S any, I comparable](game Definition[S, I], most int) int {
	return HashInterval(game.hashed(), most)
}

// hashed returns the size of an encoded state; it is 0 if the state is none, which build refuses.
func (g Game[S, I]) hashed() int {
	plan, err := g.planOf()
	if err != nil {
		return 0
	}
	return plan.Size()
}

func (g OwnMemory[S, V, I]) hashed() int { return 0 }
