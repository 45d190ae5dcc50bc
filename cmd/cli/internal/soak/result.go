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

// soakResult is what the matches of a soak have come to. The tags are the keys of
// --json.
type soakResult struct {
	Game     string        `json:"game"`
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
	Error    string        `json:"error"` // empty if all was played

	cpu time.Duration
}

// soakRow is the matches of a number of players on a profile.
type soakRow struct {
	Players int    `json:"players"`
	Profile string `json:"profile"`
	Matches uint64 `json:"matches"`
	Failed  uint64 `json:"failed"`
	// PerMinute is how many matches one processor plays in a minute.
	PerMinute   float64 `json:"matches_per_cpu_minute"`
	Seconds     float64 `json:"virtual_seconds"` // of all matches
	Frames      uint64  `json:"frames"`          // of all machines
	Stalls      uint64  `json:"stalls"`
	Rollbacks   uint64  `json:"rollbacks"`
	Resimulated uint64  `json:"frames_resimulated"`
	Deepest     int     `json:"deepest_rollback"`
	LagP50      int64   `json:"lag_p50_ms"`
	LagP99      int64   `json:"lag_p99_ms"`
	Datagrams   uint64  `json:"datagrams"`
	Bytes       uint64  `json:"bytes"`
	// Watched is how many matches somebody watched, Seen how many frames they saw,
	// FailOvers how often they were at a host again, States how many states the hosts
	// encoded for them.
	Watched   uint64 `json:"matches_watched"`
	Seen      uint64 `json:"frames_seen"`
	FailOvers uint64 `json:"fail_overs"`
	States    uint64 `json:"states_sent"`

	took, length time.Duration
	lag          fleet.Histogram
}

// soakFailure is a match that has failed.
type soakFailure struct {
	Seed      uint64          `json:"seed"`
	Players   int             `json:"players"`
	Profile   string          `json:"profile"`
	Violation string          `json:"violation"`
	Command   string          `json:"command"` // that plays it again
	Shrunk    bool            `json:"shrunk"`  // the plan is the least that fails so
	Plan      json.RawMessage `json:"plan"`

	plan fleet.Plan
}

// print shows a failure.
func (f *soakFailure) print(w io.Writer) {
	fmt.Fprintf(w, "FAILED: seed %d, %d players, %s: %s\n", f.Seed, f.Players, f.Profile, f.Violation)
	if f.Shrunk {
		fmt.Fprintln(w, "the least that fails so:")
	}
	fmt.Fprintf(w, "%s\nthe same for --plan:\n  %s\nagain:\n  %s\n", planText(&f.plan), f.Plan, f.Command)
}

// row returns the row of a number of players on a profile.
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
	row, res := r.row(m.plan.Players(), m.plan.Profile), &m.result
	r.Matches++
	row.Matches++
	if !res.OK() {
		r.Failed++
		row.Failed++
	}
	row.took += m.took
	row.length += res.Length
	row.Frames += res.Frames
	row.Stalls += res.Stalls
	row.Rollbacks += res.Rollbacks
	row.Resimulated += res.Resimulated
	row.Deepest = max(row.Deepest, res.Deepest)
	row.Datagrams += res.Datagrams
	row.Bytes += res.Bytes
	row.lag.Join(&res.Lag)
	if len(m.plan.Watchers) > 0 {
		row.Watched++
	}
	row.Seen += res.Seen
	row.FailOvers += res.FailOvers
	row.States += res.States
}

// finish computes what is derived, and puts the rows in order. The processor's time is
// shared out by how long the matches took.
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
		row.LagP50, row.LagP99 = row.lag.Percentile(50).Milliseconds(), row.lag.Percentile(99).Milliseconds()
	}
	order := fleet.ProfileNames()
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

// soakHeading and cells are the table, for people and for a report.
var soakHeading = []any{
	"PLAYERS", "PROFILE", "MATCHES", "FAILED", "LENGTH", "PER CPU MINUTE", "STALLS", "ROLLBACKS", "RESIMULATED", "DEEPEST", "LAG P50", "LAG P99", "BYTES/S",
	"WATCHED", "SEEN", "FAIL-OVERS", "STATES",
}

// cells are those of a row: the mean length in virtual time (matches end early when the
// game does, or somebody is gone), stalls and rollbacks in a minute of a machine, frames that
// were simulated again in percent of all, bytes that a player sends in a second to the
// others; and what spectators have seen.
func (row *soakRow) cells() []any {
	minutes := row.Seconds / 60 * float64(row.Players)
	return []any{
		row.Players, row.Profile, row.Matches, row.Failed,
		fmt.Sprintf("%.0f s", row.Seconds/float64(row.Matches)), fmt.Sprintf("%.0f", row.PerMinute),
		fmt.Sprintf("%.1f/min", float64(row.Stalls)/max(minutes, 1e-9)), fmt.Sprintf("%.0f/min", float64(row.Rollbacks)/max(minutes, 1e-9)),
		fmt.Sprintf("%.0f%%", 100*float64(row.Resimulated)/max(float64(row.Frames), 1)), row.Deepest,
		fmt.Sprintf("%d ms", row.LagP50), fmt.Sprintf("%d ms", row.LagP99), fmt.Sprintf("%.0f", float64(row.Bytes)/max(minutes*60, 1e-9)),
		row.Watched, row.Seen, row.FailOvers, row.States,
	}
}

// print shows the table and the totals.
func (r *soakResult) print(w io.Writer) {
	rows := console.NewTable(soakHeading...)
	for _, row := range r.Rows {
		rows.Add(row.cells()...)
	}
	rows.Print(w)
	fmt.Fprintln(w, r.summary())
}

func (r *soakResult) summary() string {
	return fmt.Sprintf("%d matches of %s, seeds %d to %d: %d failed; %.1f s of CPU", r.Matches, r.Game, r.Seed, r.Seed+r.Seeds-1, r.Failed, r.CPU)
}

// markdown is the report.
func (r *soakResult) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Soak of %s\n\n%s.\n\n", r.Game, r.summary())
	line := func(cells []any) {
		for _, c := range cells {
			fmt.Fprintf(&b, "| %v ", c)
		}
		b.WriteString("|\n")
	}
	heading, rule := make([]any, len(soakHeading)), make([]any, len(soakHeading))
	for i, h := range soakHeading {
		heading[i], rule[i] = strings.ToLower(h.(string)), "---"
	}
	line(heading)
	line(rule)
	for _, row := range r.Rows {
		line(row.cells())
	}
	b.WriteString("\nLength is the mean, in virtual time. Stalls and rollbacks are in a minute of play of one player, resimulated frames in percent of all frames, lags over all links once a second, bytes of one player in a second to all others. Watched are matches with spectators; seen frames, fail-overs and encoded states are of these spectators.\n")
	for _, f := range r.Failures {
		fmt.Fprintf(&b, "\n## Failed: seed %d, %d players, %s\n\n%s\n\n```\n%s\n```\n\n```sh\n%s\n```\n\n```json\n%s\n```\n", f.Seed, f.Players, f.Profile, f.Violation, planText(&f.plan), f.Command, f.Plan)
	}
	return b.String()
}
