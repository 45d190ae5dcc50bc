// Package helper makes games for others.
package helper

import "github.com/tickback/tickback/rollback"

// Make makes a game whose floats are strict.
func Make[S any, I comparable](step func(s *S, t *rollback.Tick[I])) rollback.Game[S, I] {
	return rollback.Game[S, I]{Step: step, Floats: rollback.Strict}
}

// Strictly makes the floats of a game strict.
func Strictly[S any, I comparable](g rollback.Game[S, I]) rollback.Game[S, I] {
	g.Floats = rollback.Strict
	return g
}

// Loose makes a game whose floats are as a build has them.
func Loose[S any, I comparable](step func(s *S, t *rollback.Tick[I])) rollback.Game[S, I] {
	return rollback.Game[S, I]{Step: step, AllowFloats: true}
}
