package app

import (
	"slices"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/play/overlay"
)

// report is what the app says about itself and its matches, for a [Status].
type report struct {
	status   Status
	pictures uint64
	errors   []string
	outcome  *Outcome // of the last match that ended here
	verdict  string   // its health
	matches  int      // how many have ended
}

// begin forgets what belonged to the last scene.
func (r *report) begin() { r.status = Status{Seat: -1} }

// picture counts a picture.
func (r *report) picture() { r.pictures++ }

// note adds a problem, unless it is known.
func (r *report) note(err error) {
	const most = 20
	if text := err.Error(); len(r.errors) < most && !slices.Contains(r.errors, text) {
		r.errors = append(r.errors, text)
	}
}

// end records the end of a match.
func (r *report) end(o tickback.Outcome, checksum string) {
	r.outcome = &Outcome{Frame: uint32(o.Frames), Checksum: checksum, Result: o.Result, Finished: o.Finished}
	r.verdict = o.Health.String()
	r.matches++
}

// observe records the figures of a session.
func (r *report) observe(m *overlay.Monitor, s tickback.Stats, checksum string) {
	t := &r.status
	if uint32(s.Frame) > t.Frame {
		t.Frames += uint64(uint32(s.Frame) - t.Frame)
	} else if uint32(s.Frame) < t.Frame {
		t.Frames += uint64(s.Frame)
	}
	t.Frame, t.Checksum, t.Health = uint32(s.Frame), checksum, s.Health.String()
	t.Rollbacks, t.Resimulated, t.Stalls = s.Engine.Rollbacks, s.Engine.Resimulated, s.Stalls
	t.FPS, t.Ticks = m.FPS, m.Ticks
}

// predicted records figures of the engine that are not those of the session.
func (r *report) predicted(rollbacks, resimulated, mispredicted uint64) {
	r.status.Rollbacks, r.status.Resimulated, r.status.Mispredicted = rollbacks, resimulated, mispredicted
}

// agree records the newest state that is the same on all machines.
func (r *report) agree(f tickback.Frame, checksum string) {
	r.status.Agreed = Agreed{uint32(f), checksum}
}

// score records the score of a duel, and draw where its fighters were drawn.
func (r *report) score(wins [2]int, rounds int) { r.status.Wins, r.status.Rounds = wins, rounds }

func (r *report) draw(places []float32) { r.status.Drawn = append(r.status.Drawn[:0], places...) }

// fill returns the report as a status.
func (r *report) fill() Status {
	s := r.status
	s.Pictures, s.Errors = r.pictures, r.errors
	s.Outcome, s.Verdict, s.Matches = r.outcome, r.verdict, r.matches
	return s
}
