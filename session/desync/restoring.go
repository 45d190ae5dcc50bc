package desync

import (
	"fmt"

	"github.com/zeebo/xxh3"
)

// restoring restores a past state.
type restoring struct {
	state   uint32
	hash    uint64 // of the state in the match
	source  Origin
	base    uint32
	why     string
	sandbox Sandbox
	pacer   *pacer
	at      uint32 // the state that the sandbox has reached
	now     uint64 // the hash of the state as restored
	view    view
	done    bool

	loading []byte // the snapshot being loaded

	refused string // the newest snapshot that the game rejected, and why; empty: none
	tries   int    // number of snapshots tried
}

// maxTries is the maximum number of snapshots to try. If the game rejects one, it usually accepts one from before
// the difference; a build that can read no snapshot would reject them all.
const maxTries = 4

func (r *restoring) begin(v *Investigation, state uint32) {
	r.reset(restoring{state: state})
	var held bool
	if r.hash, held = v.setup.Evidence.HashOf(state); !held {
		r.fail("its hash is no longer held")
		return
	}
	r.load(v, state)
}

// load starts to load the newest snapshot that is not newer than a state. If the game rejects it, an older one is
// tried in the next slice, since loading alone takes long.
func (r *restoring) load(v *Investigation, newest uint32) {
	base, ok := v.setup.Evidence.snapshots.at(newest)
	switch {
	case !ok && r.tries == 0:
		r.fail("no snapshots are kept")
		return
	case !ok || r.tries == maxTries:
		r.fail(r.refused)
		return
	}
	r.tries++
	r.base, r.at = base.state, base.state
	at, _ := v.setup.Game.Scalar()
	if r.at == r.state && at != nil {
		r.end(&encodedView{base.bytes, at}, xxh3.Hash(base.bytes))
		return
	}
	err := guard(func() (err error) {
		r.sandbox, err = v.setup.Game.Sandbox()
		return err
	})
	if err != nil {
		r.fail(err.Error())
		return
	}
	r.pacer, r.loading = &pacer{}, base.bytes
	r.pacer.begin(r.sandbox, len(base.bytes)) // creating a sandbox was enough for this slice
}

// goOnLoading continues loading a snapshot, for one slice.
func (r *restoring) goOnLoading() {
	switch ended, err := r.pacer.load(r.loading); {
	case err != nil:
		r.refuse(r.base, err)
	case ended:
		r.loading = nil
	}
}

// refuse records that the game has rejected a snapshot.
func (r *restoring) refuse(state uint32, err error) {
	r.pacer.end()
	r.sandbox, r.pacer, r.loading = nil, nil, nil
	if r.refused == "" {
		r.refused = cutText(fmt.Sprintf("state %d was refused: %v", state, err), maxWhy)
	}
	if r.at == 0 {
		r.fail(r.refused)
	}
}

// reset stops the simulation and starts over.
func (r *restoring) reset(to restoring) {
	if r.pacer != nil {
		r.pacer.end()
	}
	*r = to
}

// guard turns a panic of the game into an error: code that runs for the first time in a sandbox must not end the
// match.
func guard(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil { //detlint:ignore address it is what a report says
			err = fmt.Errorf("the game panicked: %v", p)
		}
	}()
	return do()
}

// work continues for one slice.
func (r *restoring) work(v *Investigation) {
	if r.state == 0 || r.done {
		return
	}
	if r.pacer == nil {
		r.load(v, r.at-1)
		return
	}
	r.pacer.slice()
	switch {
	case r.loading != nil:
		r.goOnLoading()
		return
	case r.at == r.state:
		r.finish(v) // in a slice of its own, since it hashes the whole state
		return
	}
	for r.at < r.state && !r.pacer.full() {
		f := v.setup.Evidence.inputs.Frame(r.at)
		if f == nil {
			r.fail(fmt.Sprintf("the inputs of frame %d are no longer held", r.at))
			return
		}
		ended, err := r.pacer.step(f)
		if err != nil {
			r.fail(err.Error())
			return
		}
		if ended {
			r.at++
		}
	}
}

// finish examines the state once the sandbox has reached it.
func (r *restoring) finish(v *Investigation) {
	var hash uint64
	var w view
	err := guard(func() (err error) {
		if hash, err = r.sandbox.Hash(); err != nil || hash != r.hash {
			return err
		}
		if at, _ := v.setup.Game.Scalar(); at != nil {
			b, err := r.sandbox.Marshal(nil)
			w = &encodedView{b, at}
			return err
		}
		if parts := partsOf(r.sandbox); parts != nil {
			w = &partsView{parts}
			return nil
		}
		text, err := r.sandbox.Text()
		w = newLinesView(text)
		return err
	})
	if err != nil {
		r.fail(err.Error())
		return
	}
	r.end(w, hash)
}

func (r *restoring) end(w view, hash uint64) {
	if r.pacer != nil {
		r.pacer.end()
	}
	r.done, r.view, r.now, r.sandbox, r.pacer = true, w, hash, nil, nil
	r.why = r.refused
	switch {
	case hash != r.hash:
		r.source, r.view = NotReproduced, nil
	case r.base == r.state:
		r.source = Original
	default:
		r.source = Resimulated
	}
}

func (r *restoring) fail(why string) {
	if r.refused != "" && why != r.refused {
		why = r.refused + "; " + why
	}
	r.reset(restoring{state: r.state, done: true, source: Unavailable, why: why})
}

// found returns the answer about the state.
func (r *restoring) found(number uint32) answer {
	a := answer{number: number, step: askState, source: r.source, base: r.base, hash: r.now}
	a.why = []byte(cutText(r.why, maxWhy))
	if r.view != nil {
		a.form, a.size = r.view.form(), r.view.size()
	}
	return a
}
