package tickback

import (
	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/session"
)

func (r *recording) End(e *session.RecordEnd) {
	if r.ended {
		return
	}
	r.ended = true
	if !r.begun {
		r.err = e.Failed
		close(r.done)
		return
	}
	for _, m := range e.Log {
		r.end.members = replay.AppendMember(r.end.members, replay.Member{Kind: byte(m.Kind), Players: byte(m.Players), Frame: uint32(m.Frame)})
	}
	o := &e.Outcome
	if e.Ended {
		r.end.End = tbr.End{Finished: o.Finished, Result: o.Result, Chain: o.Chain, Hashed: o.Hash != 0, Hash: o.Hash, Gone: byte(o.Left)}
	}
	r.end.failed = e.Failed
	r.end.Reason = reasonOf(e, uint32(r.header.Length))
	if r.closing = true; !r.effect {
		r.close()
	}
}

// close ends the recording after End. The last effects reach the application only after End.
func (r *recording) close() {
	if !r.closing {
		return
	}
	r.closing = false
	if r.hand(r.batch.next()); r.slow && r.end.failed == nil {
		r.end.failed = errSlow
		r.end.Reason = failure(errSlow)
	}
	close(r.queue)
}

// next is the frame after the batch.
func (l *batch) next() uint32 {
	if l == nil {
		return 0
	}
	return l.first + uint32(len(l.frames))
}

// reasonOf returns why a recording ends, or "" at the end of the match.
func reasonOf(e *session.RecordEnd, length uint32) (reason string) {
	switch o := &e.Outcome; {
	case e.Failed != nil:
		reason = failure(e.Failed)
	case e.Over != nil:
		reason = "the session was over: " + e.Over.Error()
	case !o.Finished && uint32(o.Frames) != length && o.Left != 0:
		reason = "the match ended without " + o.Left.String()
	}
	return reason[:min(len(reason), tbr.MaxText)]
}

func failure(err error) string { return "the recording failed: " + err.Error() }

// trouble returns why the recording cannot go on, or nil.
func (r *recording) trouble() error {
	switch {
	case r.ended:
		return nil
	case r.failed.Load():
		<-r.done
		return r.err
	case r.slow:
		return errSlow
	}
	return nil
}

// written returns the frame after the last one that was written, and the error. It is called
// when the recording is done, or when nobody waits for it any more.
func (r *recording) written() (next session.Frame, err error) {
	next = session.Frame(r.upTo.Load())
	select {
	case <-r.done:
		err = r.err
	default:
	}
	return next, err
}
