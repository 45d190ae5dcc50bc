package netplay

import (
	"time"

	"github.com/tickback/tickback/play/contest"
)

const (
	// betweenRounds is how long after a round the host begins the next one, and betweenMatches how long after a
	// match, if matches begin automatically.
	betweenRounds  = 3400 * time.Millisecond
	betweenMatches = 4500 * time.Millisecond
	// startTime is how long to wait for a requested start before it can be requested again.
	startTime = 3 * time.Second
)

// lead does the host's part: it begins the next round of a duel, and matches that begin automatically.
func (v *stay) lead(now time.Time) {
	if !v.room.IsHost() || v.room.Err() != nil || v.state.Match != 0 || v.bout != nil && !v.retired || now.Sub(v.startAt) < startTime {
		return
	}
	if me := v.room.Me(); me.Seat > 0 {
		if _, taken := v.state.At(0); !taken { // a match needs its first seat
			first := 0
			v.startAt = now
			_ = v.room.TakeSeat(&first) // a refusal is an event
			return
		}
	}
	sit, all := v.present()
	if sit < 2 || !all {
		return
	}
	wait := time.Duration(0)
	switch {
	case v.betweenRounds():
		wait = betweenRounds
	case v.cfg.Start == 0 || sit < v.cfg.Start:
		return
	case v.bout != nil:
		wait = betweenMatches
	}
	if now.Sub(v.overAt) >= wait {
		v.start(now)
	}
}

// betweenRounds reports whether a duel continues with another round of the same two players.
func (v *stay) betweenRounds() bool {
	score := v.terms.score()
	_, over := score.Over()
	return v.kind.id == duelID && score.Round > 0 && !over && v.terms.Who == v.duelists()
}

// count sends the score of a duel to the room after a round, if we are the host, for everybody who comes late or
// comes back.
func (v *stay) count() {
	if v.kind.id != duelID || !v.room.IsHost() {
		return
	}
	t, score := v.terms, v.standing()
	if _, over := score.Over(); over {
		score = contest.Score{} // the next round is the first one
	}
	t.Round, t.Wins, t.Who = score.Round, score.Wins, v.duelists()
	_ = v.change(t) // if this fails, the next round repeats it
}

// start begins the next match.
func (v *stay) start(now time.Time) {
	t := v.terms
	if !v.betweenRounds() {
		t.Round, t.Wins, t.Who = 0, [2]int{}, v.duelists()
	}
	v.startAt = now
	if v.change(t) == nil {
		_ = v.room.Start() // a refusal is an event
	}
}

// change sends new terms to the room. It fails while the client is reconnecting.
func (v *stay) change(t terms) error {
	t.Frames = int(v.cfg.Frames)
	v.terms = t
	return v.room.SetSettings(t.text())
}
