package app

import (
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/play/overlay"
)

// Status describes what the app is doing, for tests and tools.
type Status struct {
	Mode         string   `json:"mode"` // the scene
	Pictures     uint64   `json:"pictures"`
	Frame        uint32   `json:"frame"` // of the current match
	Checksum     string   `json:"checksum"`
	Health       string   `json:"health"`
	Frames       uint64   `json:"frames"` // of all matches of the scene
	Rollbacks    uint64   `json:"rollbacks"`
	Resimulated  uint64   `json:"resimulated"`
	Mispredicted uint64   `json:"mispredicted"`
	Stalls       uint64   `json:"stalls"`
	Wins         [2]int   `json:"wins"`
	Rounds       int      `json:"rounds"`
	FPS          float32  `json:"fps"`
	Ticks        float32  `json:"ticks"` // frames a second
	Errors       []string `json:"errors"`

	Room    string   `json:"room"`    // its link, or ""
	Seat    int      `json:"seat"`    // ours; -1 for a spectator
	Players int      `json:"players"` // places of the match, or of the room
	Members []Member `json:"members"` // of the room
	// Names are those of the players, and At is the position of ours, in units of the rules, in a match that a server
	// owns.
	Names []string    `json:"names"`
	At    *[2]float32 `json:"at"`
	// Drawn is where the fighters of a duel were drawn along the stage in the newest picture.
	Drawn []float32 `json:"drawn,omitempty"`
	// Agreed is the newest state that this machine knows to be the same on all machines.
	Agreed Agreed `json:"agreed"`
	// Outcome is that of the last match that ended here, Verdict its health (or ""), and Matches the number of
	// matches that have ended.
	Outcome *Outcome `json:"outcome"`
	Verdict string   `json:"verdict"`
	Matches int      `json:"matches"`
	Message string   `json:"message"` // the text of an error screen
	Banner  string   `json:"banner"`  // the present message about a match
	// Recordings is the number of kept recordings.
	Recordings int `json:"recordings"`

	// For the theatre, where Frames is the length: whether it is playing, and the result of verifying: "", "running
	// 40%", "ok", or what is wrong.
	Playing  bool   `json:"playing"`
	Verified string `json:"verified"`

	// Lab is the setup of the lab, in text form; see lab.ParseSetup.
	Lab string `json:"lab,omitempty"`

	Skirmish *SkirmishStatus `json:"skirmish,omitempty"`
}

// SkirmishStatus is what the player has in a skirmish; All counts the units of all sides.
type SkirmishStatus struct {
	Gold     int                  `json:"gold"`
	Units    int                  `json:"units"`
	Idle     int                  `json:"idle"`
	Selected int                  `json:"selected"`
	Groups   [skirmish.Groups]int `json:"groups"`
	All      int                  `json:"all"`
}

// Member is a member of a room.
type Member struct {
	Name       string `json:"name"`
	Seat       int    `json:"seat"`       // -1 watches
	State      string `json:"state"`      // "here", "away" or "lost"
	Connection string `json:"connection"` // "self", "none", "connecting", "connected", "interrupted" or "failed"
}

// Agreed is a state that is the same on all machines.
type Agreed struct {
	Frame    uint32 `json:"frame"`
	Checksum string `json:"checksum"`
}

// Outcome is how a match ended: the number of frames, the last state, and the result if the rules ended it.
type Outcome struct {
	Frame    uint32 `json:"frame"`
	Checksum string `json:"checksum"`
	Result   uint64 `json:"result"`
	Finished bool   `json:"finished"`
}

// Reporter is a scene that adds to the status.
type Reporter interface{ Report(s *Status) }

// Status returns what the app is doing.
func (a *App) Status() Status {
	s := a.status
	s.Mode, s.Pictures, s.Errors = a.scene.Name(), a.pictures, a.errors
	s.Recordings = a.kept.Len()
	s.Outcome, s.Verdict, s.Matches = a.ended.outcome, a.ended.verdict, a.ended.matches
	if r, ok := a.scene.(Reporter); ok {
		r.Report(&s)
	}
	return s
}

// ended is what is known about the matches that have ended here.
type ended struct {
	outcome *Outcome
	verdict string
	matches int
}

// end records the end of a match.
func (a *App) end(o tickback.Outcome, checksum string) {
	a.ended.outcome = &Outcome{Frame: uint32(o.Frames), Checksum: checksum, Result: o.Result, Finished: o.Finished}
	a.ended.verdict = o.Health.String()
	a.ended.matches++
}

// observe updates the status from a session.
func (a *App) observe(m *overlay.Monitor, s tickback.Stats, checksum string) {
	t := &a.status
	if uint32(s.Frame) > t.Frame {
		t.Frames += uint64(uint32(s.Frame) - t.Frame)
	} else if uint32(s.Frame) < t.Frame {
		t.Frames += uint64(s.Frame)
	}
	t.Frame, t.Checksum, t.Health = uint32(s.Frame), checksum, s.Health.String()
	t.Rollbacks, t.Resimulated, t.Stalls = s.Engine.Rollbacks, s.Engine.Resimulated, s.Stalls
	t.FPS, t.Ticks = m.FPS, m.Ticks
}
