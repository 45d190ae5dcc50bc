package rollback

// HashedBytes is how many bytes of states are hashed per frame on average, at most, if no interval is configured and
// the longest interval does not prevent it: see [DefaultHashInterval].
const HashedBytes = 8 << 10

// mostHashInterval is the longest interval, in frames, at which an engine hashes states if [Config.HashEvery] is not
// set: a second at 60 ticks/s.
const mostHashInterval = 60

func hashInterval(bytes, most int) int {
	for every := 1; every < min(most, 1<<16); every++ {
		if most%every == 0 && (bytes-1)/every < HashedBytes {
			return every
		}
	}
	return max(most, 1)
}

// DefaultHashInterval returns the default interval, in frames, at which states of a game are hashed: the shortest that
// divides most and hashes at most [HashedBytes] per frame on average, or most if there is none. It depends on their size
// alone, so all machines of a match use the same interval, whatever a hash costs on them. It is 1 for an [OwnMemory],
// since the size of its state says nothing about what a hash costs.
func DefaultHashInterval[S any, I comparable](game Definition[S, I], most int) int {
	return hashInterval(game.hashed(), most)
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
