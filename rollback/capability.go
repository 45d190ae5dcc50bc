package rollback

// Capabilities says what a game can do besides stepping.
type Capabilities[S any] struct {
	Save, Hash, Equal, Marshal, New bool
	// Describe is the game's own function, [OwnMemory.Describe]. It is nil for a [Game], which canon describes.
	Describe func(s *S) any
}

// CapabilitiesOf returns the capabilities of a game. A [Game] has all of them.
func CapabilitiesOf[S any, I comparable](game Definition[S, I]) Capabilities[S] {
	return game.capabilities()
}

func (g Game[S, I]) capabilities() Capabilities[S] {
	return Capabilities[S]{Save: true, Hash: true, Equal: true, Marshal: true, New: true}
}

func (g OwnMemory[S, V, I]) capabilities() Capabilities[S] {
	return Capabilities[S]{
		Save: g.Save != nil, Hash: g.Hash != nil, Equal: g.Equal != nil,
		Marshal: g.Marshal != nil || g.origin != nil, New: g.New != nil, Describe: g.Describe,
	}
}
