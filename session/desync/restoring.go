package desync

import (
	"fmt"

	"github.com/zeebo/xxh3"
)

// restoring brings up a state that has been.
type restoring struct {
	state   uint32
	hash    uint64 // that it had
	source  Source
	base    uint32
	why     string
	sandbox Sandbox
	at      uint32 // the state that the sandbox is in
	now     uint64 // the hash that it has
	view    view
	done    bool
}

// framesAtOnce is how many frames are simulated again in a tick period, so that the
// match goes on meanwhile.
const framesAtOnce = 4

func (r *restoring) begin(v *Investigation, state uint32) {
	e := v.setup.Evidence
	*r = restoring{state: state}
	var held bool
	if r.hash, held = e.HashOf(state); !held {
		r.fail("its hash is not held any more")
		return
	}
	base, ok := e.snapshots.at(state)
	if !ok {
		r.fail("no snapshots are kept")
		return
	}
	r.base, r.at = base.state, base.state
	at, _ := v.setup.Game.Scalar()
	if r.at == state && at != nil {
		r.end(&encodedView{base.bytes, at}, xxh3.Hash(base.bytes))
		return
	}
	var err error
	if r.sandbox, err = v.setup.Game.Sandbox(); err == nil {
		err = r.sandbox.Load(base.bytes)
	}
	if err != nil {
		r.fail(err.Error())
	}
}

// work goes on, a little at a time.
func (r *restoring) work(v *Investigation) {
	if r.state == 0 || r.done {
		return
	}
	for n := 0; n < framesAtOnce && r.at < r.state; n++ {
		f := v.setup.Evidence.inputs.Frame(r.at)
		if f == nil {
			r.fail(fmt.Sprintf("the inputs of frame %d are not held any more", r.at))
			return
		}
		if err := r.sandbox.Step(f); err != nil {
			r.fail(err.Error())
			return
		}
		r.at++
	}
	if r.at == r.state {
		r.finish(v)
	}
}

// finish looks at the state that the sandbox has come to.
func (r *restoring) finish(v *Investigation) {
	hash, err := r.sandbox.Hash()
	if err != nil {
		r.fail(err.Error())
		return
	}
	if hash != r.hash {
		r.end(nil, hash)
		return
	}
	var w view
	if at, _ := v.setup.Game.Scalar(); at != nil {
		var b []byte
		b, err = r.sandbox.Marshal(nil)
		w = &encodedView{b, at}
	} else {
		var text []byte
		text, err = r.sandbox.Text()
		w = newLinesView(text)
	}
	if err != nil {
		r.fail(err.Error())
		return
	}
	r.end(w, hash)
}

func (r *restoring) end(w view, hash uint64) {
	r.done, r.view, r.now, r.sandbox = true, w, hash, nil
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
	*r = restoring{state: r.state, done: true, source: Unavailable, why: why}
}

// found is what there is to say of it.
func (r *restoring) found(number uint32) answer {
	a := answer{number: number, step: askState, source: r.source, base: r.base, hash: r.now}
	a.why = []byte(r.why[:min(len(r.why), maxWhy)])
	if r.view != nil {
		a.form, a.size = r.view.form(), r.view.size()
	}
	return a
}
