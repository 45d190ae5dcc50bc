package spectate

import (
	"fmt"
	"io"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/session"
)

// spectateResult is how a match went, as a spectator saw it. The tags are the keys of
// --json.
type spectateResult struct {
	Game     string `json:"game"`
	Host     string `json:"host"` // the last host; empty if there was none
	Players  int    `json:"players"`
	Seed     uint64 `json:"seed"`
	Frames   uint32 `json:"frames"`   // the frames of the match, or those that were shown
	Checksum string `json:"checksum"` // the checksum of the last state; empty unless the match is over
	Health   string `json:"health"`   // unverified, healthy or desynced
	Reason   string `json:"reason"`   // length, finished, left, lost, interrupted, desynced or failed
	Result   string `json:"result"`   // the game's own text; empty unless the game ended the match
	Stalls   uint64 `json:"stalls"`   // how often there was nothing to show
	Error    string `json:"error"`    // empty if all went well

	over, finished bool
	seen           uint32 // the number of frames shown; 0 if nothing was
	limit          tickback.Frame
}

func newResult(s *spectatorSetup) *spectateResult {
	return &spectateResult{Game: s.game.ID, Health: session.Unverified.String(), Reason: "failed"}
}

// print writes the summary for people.
func (r *spectateResult) print(w io.Writer) {
	rows := console.NewTable("GAME", "PLAYERS", "FRAMES", "SEED", "CHECKSUM", "HEALTH", "ENDED BY", "STALLS", "HOST")
	rows.Add(r.Game, r.Players, r.Frames, r.Seed, console.OrDash(r.Checksum), r.Health, r.Reason, r.Stalls, console.OrDash(r.Host))
	rows.Print(w)
	if r.Result != "" {
		fmt.Fprintf(w, "Result: %s\n", console.Printable(r.Result))
	}
}
