// Package many has two functions that may be the step, and one that cannot be.
package many

type (
	// Menu and Game both have an Update.
	Menu struct{ at int }
	Game struct{ at int }
	// Pool has type parameters.
	Pool[T any] struct{ list []T }
)

// Update computes a frame of the menu.
func (m *Menu) Update() { m.at++ }

// Update computes a frame of the game.
func (g Game) Update() { g.at++ }

// Drain has a name that no step has.
func (p *Pool[T]) Drain() { p.list = nil }
