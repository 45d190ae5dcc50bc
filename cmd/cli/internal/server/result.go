package server

import (
	"fmt"
	"io"
	"time"

	"github.com/tickback/tickback/cmd/cli/internal/console"
)

// serveResult is how a match went, as its server saw it. The tags are the keys of --json.
type serveResult struct {
	Game     string `json:"game"`
	Players  int    `json:"players"` // the number of places
	Peak     int    `json:"peak"`    // the maximum number of players at the same time
	Joins    int    `json:"joins"`   // clients that joined, including those that came back
	Sight    string `json:"sight"`   // full or partial
	Seed     uint64 `json:"seed"`
	Frames   uint32 `json:"frames"`
	Checksum string `json:"checksum"` // the checksum of the last state; empty unless the match is over
	Reason   string `json:"reason"`   // length, finished, interrupted or failed
	Result   string `json:"result"`   // the game's own text; empty unless the game ended the match
	Error    string `json:"error"`    // empty if all went well
	// Counts has the numbers of abnormal events, by kind.
	Counts map[string]uint64 `json:"counts"`

	odd             []oddity // the same counts, in order
	begun, finished bool
}

// print writes the summary for people.
func (r *serveResult) print(w io.Writer) {
	rows := console.NewTable("GAME", "PLACES", "PEAK", "JOINS", "SIGHT", "FRAMES", "SEED", "CHECKSUM", "ENDED BY")
	rows.Add(r.Game, r.Players, r.Peak, r.Joins, r.Sight, r.Frames, r.Seed, console.OrDash(r.Checksum), r.Reason)
	rows.Print(w)
	if r.Result != "" {
		fmt.Fprintf(w, "Result: %s\n", console.Printable(r.Result))
	}
	if odd := since(r.odd, nil); len(odd) > 0 {
		fmt.Fprintf(w, "Ignored: %s\n", list(odd))
	}
}

// clientResult is how a match went, as a client saw it. The tags are the keys of --json.
type clientResult struct {
	Game     string `json:"game"`
	Server   string `json:"server"`
	Player   int    `json:"player"`  // counted from 1; 0 if it had no place
	Players  int    `json:"players"` // the number of places
	Bot      string `json:"bot"`
	Seed     uint64 `json:"seed"`     // 0 with partial sight, where clients do not receive it
	From     uint32 `json:"from"`     // the first state that it received
	Frames   uint32 `json:"frames"`   // the frames of the match, as far as known
	Checksum string `json:"checksum"` // the checksum of the last state, if known; empty unless the match is over
	Health   string `json:"health"`   // unverified, healthy or desynced
	Reason   string `json:"reason"`   // length, finished, interrupted, lost, refused, desynced or failed
	Result   string `json:"result"`   // the game's own text; empty unless the game ended the match
	Report   string `json:"report"`   // the file that explains a desync; empty without one

	Updates     uint64  `json:"updates"`   // states received as a difference
	Wholes      uint64  `json:"wholes"`    // states received in full
	Corrected   uint64  `json:"corrected"` // states that differed from the prediction
	Rollbacks   uint64  `json:"rollbacks"`
	Resimulated uint64  `json:"resimulated"` // frames
	Skipped     uint64  `json:"skipped"`     // frames that were skipped to catch up
	Stalls      uint64  `json:"stalls"`
	Ping        float64 `json:"ping_ms"`
	SentBytes   uint64  `json:"sent_bytes"`
	Error       string  `json:"error"` // empty if all went well
}

// begun reports whether the client received anything to play with.
func (r *clientResult) begun() bool { return r.Wholes > 0 }

// printClients prints a table for people. With partial sight clients do not receive the seed, and have 0.
func printClients(w io.Writer, all []*clientResult, partial bool) {
	rows := console.NewTable("GAME", "PLAYER", "FRAMES", "SEED", "CHECKSUM", "HEALTH", "ENDED BY", "ROLLBACKS", "RESIMULATED", "CORRECTED", "PING")
	result := ""
	for _, r := range all {
		seed := fmt.Sprint(r.Seed)
		if partial {
			seed = "-"
		}
		rows.Add(r.Game, fmt.Sprintf("%d of %d", r.Player, r.Players), r.Frames, seed, console.OrDash(r.Checksum), r.Health, r.Reason,
			r.Rollbacks, r.Resimulated, r.Corrected, fmt.Sprintf("%.1f ms", r.Ping))
		if r.Result != "" {
			result = r.Result
		}
	}
	rows.Print(w)
	if result != "" {
		fmt.Fprintf(w, "Result: %s\n", console.Printable(result))
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
