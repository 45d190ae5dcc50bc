package soak

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/fleet"
)

// soakResult has the results of a soak's matches. The tags are the keys of --json.
type soakResult struct {
	Game     string        `json:"game"`
	Served   bool          `json:"served"`
	Profile  string        `json:"profile"`
	Seed     uint64        `json:"seed"`
	Seeds    uint64        `json:"seeds"`
	Players  []int         `json:"players"`
	Length   float64       `json:"length_seconds"`
	Matches  uint64        `json:"matches"`
	Failed   uint64        `json:"failed"`
	CPU      float64       `json:"cpu_seconds"`
	Rows     []*soakRow    `json:"rows"`
	Failures []soakFailure `json:"failures"`
	Error    string        `json:"error"` // empty if everything was played

	cpu time.Duration
}

// soakRow has the results for one number of players on one profile.
type soakRow struct {
	Players int    `json:"players"`
	Profile string `json:"profile"`
	Matches uint64 `json:"matches"`
	Failed  uint64 `json:"failed"`
	// PerMinute is how many matches one processor plays in a minute.
	PerMinute float64 `json:"matches_per_cpu_minute"`
	Seconds   float64 `json:"virtual_seconds"` // the virtual time of all matches
	// Watched is how many matches had spectators, and Seen how many frames the spectators saw.
	Watched uint64 `json:"matches_watched"`
	Seen    uint64 `json:"frames_seen"`
	// One of these is set.
	*PeerCounts
	*ServerCounts

	took, length time.Duration
	lag          fleet.Histogram
}

// soakFailure is a match that has failed.
type soakFailure struct {
	Seed      uint64          `json:"seed"`
	Players   int             `json:"players"`
	Profile   string          `json:"profile"`
	Violation string          `json:"violation"`
	Command   string          `json:"command"` // the command that plays it again
	Shrunk    bool            `json:"shrunk"`  // whether the plan was shrunk completely
	Plan      json.RawMessage `json:"plan"`

	plan plan
}

// print shows a failure.
func (f *soakFailure) print(w io.Writer) {
	fmt.Fprintf(w, "FAILED: seed %d, %d players, %s: %s\n", f.Seed, f.Players, f.Profile, f.Violation)
	if f.Shrunk {
		fmt.Fprintln(w, "the least that fails so:")
	}
	fmt.Fprintf(w, "%s\nthe same for --plan:\n  %s\nagain:\n  %s\n", planText(f.plan), f.Plan, f.Command)
}

// clone returns a copy that shares no memory.
func (row *soakRow) clone() soakRow {
	c := *row
	if n := row.PeerCounts; n != nil {
		c.PeerCounts = new(*n)
	}
	if n := row.ServerCounts; n != nil {
		c.ServerCounts = new(*n)
	}
	return c
}

// row returns the row for a number of players on a profile.
func (r *soakResult) row(players int, profile string) *soakRow {
	for _, row := range r.Rows {
		if row.Players == players && row.Profile == profile {
			return row
		}
	}
	row := &soakRow{Players: players, Profile: profile}
	r.Rows = append(r.Rows, row)
	return row
}

// add adds a match.
func (r *soakResult) add(m *soaked) {
	row, res := r.row(m.players, m.profile), &m.result
	r.Matches++
	row.Matches++
	if !res.ok() {
		r.Failed++
		row.Failed++
	}
	row.took += m.took
	row.length += res.length
	if res.watched {
		row.Watched++
	}
	row.Seen += res.seen
	res.add(row)
}

// finish computes derived values, and sorts the rows. The processor time is divided among the rows in proportion to
// how long their matches took.
func (r *soakResult) finish() {
	took := time.Duration(0)
	for _, row := range r.Rows {
		took += row.took
	}
	if r.cpu <= 0 {
		r.cpu = took
	}
	r.CPU = r.cpu.Seconds()
	for _, row := range r.Rows {
		row.Seconds = row.length.Seconds()
		if row.took > 0 && r.cpu > 0 {
			row.PerMinute = float64(row.Matches) * 60 / (row.took.Seconds() * r.cpu.Seconds() / took.Seconds())
		}
	}
	order := kindOf(r.Served).profiles()
	slices.SortFunc(r.Rows, func(a, b *soakRow) int {
		return cmp.Or(a.Players-b.Players, slices.Index(order, a.Profile)-slices.Index(order, b.Profile))
	})
	if r.Failures == nil {
		r.Failures = []soakFailure{}
	}
	if r.Rows == nil {
		r.Rows = []*soakRow{}
	}
}

// heading and cells are the columns of the table for people and of the one in a report. The mean length is in virtual
// time: a match ends early if the game ends it, or if somebody leaves.
func (r *soakResult) heading() []any {
	return append([]any{"PLAYERS", "PROFILE", "MATCHES", "FAILED", "LENGTH", "PER CPU MINUTE"}, kindOf(r.Served).heading()...)
}

func (r *soakResult) cells(row *soakRow) []any {
	return append([]any{
		row.Players, row.Profile, row.Matches, row.Failed,
		fmt.Sprintf("%.0f s", row.Seconds/float64(row.Matches)), fmt.Sprintf("%.0f", row.PerMinute),
	}, kindOf(r.Served).cells(row)...)
}

// print prints the table and the totals.
func (r *soakResult) print(w io.Writer) {
	rows := console.NewTable(r.heading()...)
	for _, row := range r.Rows {
		rows.Add(r.cells(row)...)
	}
	rows.Print(w)
	fmt.Fprintln(w, r.summary())
}

func (r *soakResult) summary() string {
	return fmt.Sprintf("%d matches of %s, seeds %d to %d: %d failed; %.1f s of CPU", r.Matches, r.Game, r.Seed, r.Seed+r.Seeds-1, r.Failed, r.CPU)
}

// markdown returns the report.
func (r *soakResult) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Soak of %s\n\n%s.\n\n", r.Game, r.summary())
	line := func(cells []any) {
		for _, c := range cells {
			fmt.Fprintf(&b, "| %v ", c)
		}
		b.WriteString("|\n")
	}
	heading := r.heading()
	rule := make([]any, len(heading))
	for i, h := range heading {
		heading[i], rule[i] = strings.ToLower(h.(string)), "---"
	}
	line(heading)
	line(rule)
	for _, row := range r.Rows {
		line(r.cells(row))
	}
	fmt.Fprintf(&b, "\nLength is the mean, in virtual time. %s\n", kindOf(r.Served).legend())
	for _, f := range r.Failures {
		fmt.Fprintf(&b, "\n## Failed: seed %d, %d players, %s\n\n%s\n\n```\n%s\n```\n\n```sh\n%s\n```\n\n```json\n%s\n```\n", f.Seed, f.Players, f.Profile, f.Violation, planText(f.plan), f.Command, f.Plan)
	}
	return b.String()
}
