package tickback

// Seeded returns a Start (see [Options]) for a game whose state 0 depends only on the seed of the match. begin makes
// that state.
//
//	tickback.Options[State, Input]{
//		Match: tickback.Parameters{Seed: rand.Uint64()}, // the host's is used
//		Start: tickback.Seeded(New),
//		...
//	}
func Seeded[S any](begin func(seed uint64) S) func(Parameters) (func(s *S), error) {
	return func(p Parameters) (func(s *S), error) {
		return func(s *S) { *s = begin(p.Seed) }, nil
	}
}
