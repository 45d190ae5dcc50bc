package served

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// running gives access to the match that the engine of a server or client runs.
type running[S any, I comparable] struct {
	engine *rollback.Engine[S, I]
}

// State returns the current state: on a server the newest one, on a client the predicted one, ahead of the server.
// It belongs to the session, is valid until the next update, and must not be modified.
func (r *running[S, I]) State() *S { return r.engine.State() }

// StateAt returns state f, or nil if it is not held.
func (r *running[S, I]) StateAt(f Frame) *S { return r.engine.StateAt(f) }

// Frame returns the number of the next tick to run.
func (r *running[S, I]) Frame() Frame { return r.engine.Frame() }

// Effects returns the changes to effects since the last call.
func (r *running[S, I]) Effects() []effects.Event { return r.engine.Effects() }

// Inspect returns an inspector of the engine, which belongs to the session.
func (r *running[S, I]) Inspect() rollback.Inspector[S, I] { return rollback.Inspect(r.engine) }
