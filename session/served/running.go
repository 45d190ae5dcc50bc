package served

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// running is what a server and a client show of the match that their engine runs.
type running[S any, I comparable] struct {
	engine *rollback.Engine[S, I]
}

// State returns the current state: the newest one of a server, and one of a client that is ahead of
// its server. It belongs to the session, valid and unchanged until the next update; do not change it.
func (r *running[S, I]) State() *S { return r.engine.State() }

// StateAt returns state f, or nil if it is not held.
func (r *running[S, I]) StateAt(f Frame) *S { return r.engine.StateAt(f) }

// Frame returns the number of the next tick to run.
func (r *running[S, I]) Frame() Frame { return r.engine.Frame() }

// Effects returns what has become of effects since the last call.
func (r *running[S, I]) Effects() []effects.Event { return r.engine.Effects() }

// Inspect returns what looks at the engine, which belongs to the session.
func (r *running[S, I]) Inspect() rollback.Inspector[S, I] { return rollback.Inspect(r.engine) }
