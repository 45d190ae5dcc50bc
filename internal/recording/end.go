package recording

import (
	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/session"
)

// End sets what the recording says about its end: outcome, membership log, and reason. If effects are recorded, a call
// of close must follow, since the last ones come later. Only the first call of End counts.
func (r *recording) End(e *session.RecordEnd) {
	if r.ended {
		return
	}
	r.ended = true
	if !r.begun {
		r.writer.err = e.Failed
		close(r.queue.done)
		return
	}
	end := &r.writer.end
	for _, m := range e.Log {
		end.members = replay.AppendMember(end.members, r.writer.header.Shape, replay.Member{Kind: byte(m.Kind), Players: uint16(m.Players), Frame: uint32(m.Frame)})
	}
	o := &e.Outcome
	if e.Ended {
		end.End = tbr.End{Finished: o.Finished, Result: o.Result, Chain: o.Chain, Hashed: o.Hash != 0, Hash: o.Hash, Gone: uint16(o.Left)}
	}
	end.failed = e.Failed
	end.Reason = reasonOf(e, uint32(r.writer.header.Length))
	if r.closing = true; !r.effects {
		r.close()
	}
}

// close ends the recording after End. It comes later than End, because the application receives the last effects in
// between.
func (r *recording) close() {
	if !r.closing {
		return
	}
	r.closing = false
	if r.hand(r.batch.next()); r.slow && r.writer.end.failed == nil {
		r.writer.end.failed = errSlow
		r.writer.end.Reason = failure(errSlow)
	}
	close(r.queue.batches)
}

// reasonOf returns a text about why a recording ends, or "" at the end of the match.
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

// trouble returns the reason why the recording cannot continue, or nil.
func (r *recording) trouble() error {
	if r.ended {
		return nil
	}
	select {
	case <-r.queue.done:
		return r.writer.err
	default:
	}
	if r.slow {
		return errSlow
	}
	return nil
}
