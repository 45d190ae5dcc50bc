package fleet

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// offline plays the agreed frames of matches by themselves, without any network: what the machines should have.
type offline[S any, I comparable] struct {
	sandbox *rollback.Sandbox[S, I]
	match   uint32 // the match that it plays; 0: none yet
	plain   bool   // the state is a plain value: an own start is given the zero value
	start   func(p session.Parameters) (func(*S), error)
}

// newOffline makes the offline player of a game; start makes state 0, as in [Options].
func newOffline[S any, I comparable](game rollback.Definition[S, I], players int, start func(p session.Parameters) (func(*S), error)) (*offline[S, I], error) {
	sandbox, err := rollback.NewSandbox(game, players, 0)
	if err != nil {
		return nil, err
	}
	_, plain := game.(rollback.Game[S, I])
	return &offline[S, I]{sandbox: sandbox, plain: plain, start: start}, nil
}

// play plays the next frame of a match, which may be the first one of another match. It returns the hash of the state
// that results, if the frame has a hash, and what the game reports. It panics if the game cannot do that.
func (o *offline[S, I]) play(match uint32, p session.Parameters, a *rollback.Agreed[I]) (hash uint64, said rollback.StepReport) {
	if o.match != match {
		o.match = match
		o.restart(p)
	}
	said, err := o.sandbox.Step(rollback.SandboxFrame[I]{Frame: a.Frame, Inputs: a.Inputs, Orders: a.Orders, Statuses: a.Statuses})
	if err == nil && a.Hashed {
		hash, err = o.sandbox.Hash()
	}
	if err != nil {
		panic(err)
	}
	return hash, said
}

// restart sets the sandbox to state 0 of a match.
func (o *offline[S, I]) restart(p session.Parameters) {
	init, err := o.start(p)
	if err == nil {
		err = o.sandbox.Init()
	}
	if err != nil {
		panic(err)
	}
	if init == nil {
		return
	}
	if o.plain {
		var zero S
		*o.sandbox.Live() = zero
	}
	init(o.sandbox.Live())
}
