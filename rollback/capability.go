package rollback

// Capabilities says what a game can do besides stepping.
type Capabilities[S any] struct {
	Save, Hash, Equal, Marshal, New bool
	// Describe is the game's own function. It is nil for a [Game], which canon describes.
	Describe func(s *S) any
}

// CapabilitiesOf returns what a game can do. A [Game] can do everything.
func CapabilitiesOf[S any, I comparable](game Definition[S, I]) Capabilities[S] {
	return game.capabilities()
}

func (g Game[S, I]) capabilities() Capabilities[S] {
	return Capabilities[S]{Save: true, Hash: true, Equal: true, Marshal: true, New: true}
}

func (g OwnMemory[S, V, I]) capabilities() Capabilities[S] {
	return Capabilities[S]{
		Save: g.Save != nil, Hash: g.Hash != nil, Equal: g.Equal != nil,
		Marshal: g.Marshal != nil, New: g.New != nil, Describe: g.Describe,
	}
}
