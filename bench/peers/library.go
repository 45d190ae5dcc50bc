package main

// library is one of those that are compared.
type library struct {
	name    string // as tables have it
	crate   string // of the program in Rust, or empty for ours
	players int    // the most that it has
	world   bool   // whether it is in the table of worlds alone

	program string // the path of its program, once it is built
	missing string // why there is none
	broken  bool   // whether that is a mistake in its program, and not something that this machine lacks
}

// libraries returns all that are compared, ours first.
func libraries() []*library {
	return []*library{
		{name: "Tickback", players: 16},
		{name: "fortress-rollback", crate: "peers-fortress", players: 16},
		{name: "ggrs", crate: "peers-ggrs", players: 16},
		{name: "GGPO", crate: "peers-ggpo", players: 4},
		{name: "bevy_ggrs", crate: "peers-worlds", world: true},
	}
}

// takesPart reports whether a row is about a library.
func (l *library) takesPart(r row) bool { return l.crate == "" || l.world == r.world }
