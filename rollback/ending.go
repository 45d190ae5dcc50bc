package rollback

// Outcome is how a match ended.
type Outcome struct {
	Frame  Frame  // the first frame that called Tick.Finish
	Result uint64 // the argument of that call
}

// ending is how the match ended, according to the frames that called [Tick.Finish].
type ending struct {
	frames  int       // a power of two: the calls of so many of the newest frames are remembered
	calls   []Outcome // by frame modulo frames; NoFrame: no call; nil before the first call, since most matches have only one
	open    bool      // a frame has called, and it is not certain that it ends the match
	judged  Frame     // frames below it have been searched for the first call
	over    bool
	outcome Outcome // if over
}

// newEnding returns an ending that remembers the calls of so many frames.
func newEnding(frames int) ending { return ending{frames: frames} }

// reset forgets all calls; the match, or what is seen of it, begins with frame start.
func (e *ending) reset(start Frame) {
	*e = ending{frames: e.frames, calls: e.calls, judged: start}
	e.clear()
}

// clear says that no frame has called.
func (e *ending) clear() {
	for i := range e.calls {
		e.calls[i].Frame = NoFrame
	}
}

func (e *ending) slot(f Frame) *Outcome { return &e.calls[f&Frame(e.frames-1)] }

// call notes that frame f has called with a result; pass notes that it has not.
func (e *ending) call(f Frame, result uint64) {
	if e.calls == nil {
		e.calls = make([]Outcome, e.frames)
		e.clear()
	}
	*e.slot(f), e.open = Outcome{f, result}, !e.over
}

func (e *ending) pass(f Frame) {
	if e.calls != nil {
		e.slot(f).Frame = NoFrame
	}
}

// called returns the result with which frame f has called, if it has.
func (e *ending) called(f Frame) (result uint64, ok bool) {
	if e.calls == nil {
		return 0, false
	}
	c := e.slot(f)
	return c.Result, c.Frame == f
}

// judge looks for the first call in the frames below n, which will not run again.
func (e *ending) judge(n Frame) {
	e.outcome, e.over = e.first(n)
	e.judged, e.open = max(e.judged, n), !e.over
}

// first returns the first call in a frame below n that has not been judged.
func (e *ending) first(n Frame) (Outcome, bool) {
	from := e.judged
	if size := Frame(e.frames); from < n && n-from > size {
		from = n - size // no call before
	}
	for f := from; f < n; f++ {
		if result, ok := e.called(f); ok {
			return Outcome{f, result}, true
		}
	}
	return Outcome{}, false
}
