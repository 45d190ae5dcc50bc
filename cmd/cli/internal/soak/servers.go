package soak

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/games"
	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/fleet/hosted"
)

// serverKind is the kind of matches that a server owns.
type serverKind struct{}

// ServerCounts has the counts of matches that a server owns. The tags are the keys of --json.
type ServerCounts struct {
	Ticks  uint64 `json:"ticks"` // the ticks of the servers
	Joins  uint64 `json:"joins"`
	Losses uint64 `json:"losses"`
	// Played is the total playing time of all clients.
	Played time.Duration `json:"played_ns"`
	// Compared is how many states of clients were compared with the server's, and Predictions how many were compared
	// with those of naive clients.
	Compared    uint64 `json:"states_compared"`
	Predictions uint64 `json:"predictions_compared"`
	Corrections uint64 `json:"corrections"` // corrections of what clients had shown, each with its cause
	Effects     uint64 `json:"effects"`
	UpBytes     uint64 `json:"up_bytes"`
	DownBytes   uint64 `json:"down_bytes"`
	Jumps       uint64 `json:"jumps"` // jumps of spectators
}

func (serverKind) flag() string { return " --served" }

func (serverKind) profiles() []string { return hosted.ProfileNames() }

func (serverKind) refuses(g Game) error { return g.refusesServer() }

func (serverKind) takes(info *games.Info) (least, most int, usual []int) {
	return info.MinPlayers, info.MaxPlayers, []int{info.MaxPlayers}
}

func (serverKind) draw(g Game, seed uint64, profile string, players int, length time.Duration) (drawn, error) {
	info := g.Info()
	p, err := hosted.Draw(seed, profile, hosted.Rules{Places: players, TickRate: info.TickRate, Sight: info.Sight}, length)
	return drawnServer(&p), err
}

func (serverKind) parse(b []byte) (drawn, error) {
	p, err := hosted.ParsePlan(b)
	return drawnServer(&p), err
}

func drawnServer(p *hosted.Plan) drawn { return drawn{p, p.Seed, p.Places, p.Profile} }

func (serverKind) play(g Game, p plan, goOn func() bool) (outcome, error) {
	f := p.(*hosted.Plan)
	res, err := g.soakServer(*f, goOn)
	if err != nil {
		return outcome{}, err
	}
	out := outcome{
		violations: res.Violations, length: res.Length, digest: res.Digest, watched: len(f.Spectators) > 0,
		add: func(row *soakRow) { row.addServer(&res) }, machines: serverTable(&res),
	}
	for _, w := range res.Spectators {
		out.seen += w.Frames
	}
	return out, nil
}

// serverTable shows the result of each client and spectator.
func serverTable(res *hosted.Result) *console.Table {
	rows := console.NewTable("MACHINE", "ROLE", "LIVES", "PLAYED", "STATES", "PREDICTIONS", "CORRECTIONS", "EFFECTS", "ENDS", "ERROR")
	for i, c := range res.Clients {
		rows.Add(1+i, "plays", c.Lives, c.Played.Round(100*time.Millisecond), c.States, c.Predictions, c.Corrections.Sum(), c.Effects, c.Outcomes, console.OrDash(console.ErrorText(c.Err)))
	}
	for i, w := range res.Spectators {
		ends := 0
		if w.Ended {
			ends = 1
		}
		rows.Add(1+len(res.Clients)+i, "watches", 1, "-", w.Frames, "-", "-", "-", ends, console.OrDash(console.ErrorText(w.Err)))
	}
	return rows
}

func (serverKind) shrink(p plan, fails func(plan) bool) drawn {
	least := hosted.Shrink(*p.(*hosted.Plan), fleet.DefaultShrinks, func(p hosted.Plan) bool { return fails(&p) })
	return drawnServer(&least)
}

// addServer adds a match at a server.
func (row *soakRow) addServer(res *hosted.Result) {
	if row.ServerCounts == nil {
		row.ServerCounts = &ServerCounts{}
	}
	n, sum := row.ServerCounts, res.Sum()
	n.Ticks += res.Ticks
	n.Joins += res.Joined
	n.Losses += res.Lost
	n.Played += sum.Played
	n.Compared += sum.States
	n.Predictions += sum.Predictions
	n.Corrections += sum.Corrections.Sum()
	n.Effects += sum.Effects
	n.UpBytes += res.UpBytes
	n.DownBytes += res.DownBytes
	for _, w := range res.Spectators {
		n.Jumps += w.Jumps
	}
}

func (serverKind) heading() []any {
	return []any{"JOINS", "LOST", "PLAYED", "STATES", "PREDICTIONS", "CORRECTIONS", "EFFECTS", "UP B/S", "DOWN B/S", "WATCHED", "SEEN", "JUMPS"}
}

// cells returns how long clients played, how much was compared, corrections per minute of a client, bytes per second
// that a client sends and receives, and the figures of spectators.
func (serverKind) cells(row *soakRow) []any {
	n := row.ServerCounts
	seconds := n.Played.Seconds() // 0 if all matches failed immediately
	rate := func(format string, count, seconds float64) string {
		if seconds <= 0 {
			return "-"
		}
		return fmt.Sprintf(format, count/seconds)
	}
	return []any{
		n.Joins, n.Losses, fmt.Sprintf("%.0f min", seconds/60), n.Compared, n.Predictions,
		rate("%.1f/min", float64(n.Corrections), seconds/60), n.Effects,
		rate("%.0f", float64(n.UpBytes), seconds), rate("%.0f", float64(n.DownBytes), seconds),
		row.Watched, row.Seen, n.Jumps,
	}
}

func (serverKind) legend() string {
	return "Players are the places of the server. Joins and losses are those at the server; played is the time of all clients. States were compared with the server's, and predictions with those of naive clients. Corrections are changes of what a client has shown, in a minute of it, bytes those of one client in a second. Watched are matches with spectators; seen frames and jumps are of these spectators."
}
