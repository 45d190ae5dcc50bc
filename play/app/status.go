package app

import "github.com/tickback/tickback/games/skirmish"

// Status describes what the app is doing, for tests and tools.
type Status struct {
	Mode         string   `json:"mode"` // the scene
	Pictures     uint64   `json:"pictures"`
	Frame        uint32   `json:"frame"` // the frame of the current match
	Checksum     string   `json:"checksum"`
	Health       string   `json:"health"`
	Frames       uint64   `json:"frames"` // the number of frames of all matches of the scene
	Rollbacks    uint64   `json:"rollbacks"`
	Resimulated  uint64   `json:"resimulated"`
	Mispredicted uint64   `json:"mispredicted"`
	Stalls       uint64   `json:"stalls"`
	Wins         [2]int   `json:"wins"`
	Rounds       int      `json:"rounds"`
	FPS          float32  `json:"fps"`
	Ticks        float32  `json:"ticks"` // frames a second
	Errors       []string `json:"errors"`

	Room    string   `json:"room"`    // the room's link, or ""
	Seat    int      `json:"seat"`    // our seat; -1 for a spectator
	Players int      `json:"players"` // the places of the match, or of the room
	Members []Member `json:"members"` // the members of the room
	// Names are the players' names, and At is the position of our player, in units of the rules, in a match that a
	// server owns.
	Names []string    `json:"names"`
	At    *[2]float32 `json:"at"`
	// Drawn is where the fighters of a duel were drawn along the stage in the newest picture.
	Drawn []float32 `json:"drawn,omitempty"`
	// Agreed is the newest state that this machine knows to be the same on all machines.
	Agreed Agreed `json:"agreed"`
	// Outcome is the outcome of the last match that ended here, Verdict its health (or ""), and Matches the number of
	// matches that have ended.
	Outcome *Outcome `json:"outcome"`
	Verdict string   `json:"verdict"`
	Matches int      `json:"matches"`
	Message string   `json:"message"` // the text of an error screen
	Banner  string   `json:"banner"`  // the current message about a match
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
	s := a.report.fill()
	s.Mode, s.Recordings = a.screens.base().Name(), a.kept.Len()
	if r, ok := a.screens.base().(Reporter); ok {
		r.Report(&s)
	}
	return s
}
