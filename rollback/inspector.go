package rollback

// Inspector gives a read-only view of an engine that a session or a replay owns. It
// cannot change what the engine does next. Its methods are those of [Engine].
type Inspector[S any, I comparable] struct{ engine *Engine[S, I] }

// Inspect returns an inspector of an engine, valid for as long as the engine is.
func Inspect[S any, I comparable](e *Engine[S, I]) Inspector[S, I] { return Inspector[S, I]{e} }

// Players returns how many players the game has.
func (i Inspector[S, I]) Players() int { return i.engine.Players() }

// Frame returns the number of the current state.
func (i Inspector[S, I]) Frame() Frame { return i.engine.Frame() }

// StateAt returns a state, or nil if it is not held. The rules of [Engine.State] apply.
func (i Inspector[S, I]) StateAt(f Frame) *S { return i.engine.StateAt(f) }

// Hash returns the hash of the current state.
func (i Inspector[S, I]) Hash() (uint64, error) { return i.engine.Hash() }

// Confirmed returns how many frames have all their inputs.
func (i Inspector[S, I]) Confirmed() Frame { return i.engine.Confirmed() }

// Agreed returns how many frames are agreed.
func (i Inspector[S, I]) Agreed() Frame { return i.engine.Agreed() }

// Final returns the number of the newest state that will not change again.
func (i Inspector[S, I]) Final() Frame { return i.engine.Final() }

// Next returns the first frame for which the input of player p is not known.
func (i Inspector[S, I]) Next(p Player) Frame { return i.engine.Next(p) }

// Delay returns the input delay of a local player: the requested one, and the one in effect.
func (i Inspector[S, I]) Delay(p Player) (asked, actual int) { return i.engine.Delay(p) }

// Provisional returns how the match ended, according to this engine alone.
func (i Inspector[S, I]) Provisional() (Outcome, bool) { return i.engine.Provisional() }

// Stats returns the statistics.
func (i Inspector[S, I]) Stats() Stats { return i.engine.Stats() }
