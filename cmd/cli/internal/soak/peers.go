package soak

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/games"
	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/session"
)

// peerKind is the kind of matches between peers. They play according to the mode, with this data of the match.
type peerKind struct {
	mode string
	data []byte
	tell func(line string) // if given, is called with the progress
}

// PeerCounts has the counts of matches between peers. The tags are the keys of --json.
type PeerCounts struct {
	Frames      uint64 `json:"frames"` // of all machines
	Stalls      uint64 `json:"stalls"`
	Rollbacks   uint64 `json:"rollbacks"`
	Resimulated uint64 `json:"frames_resimulated"`
	Deepest     int    `json:"deepest_rollback"`
	LagP50      int64  `json:"lag_p50_ms"`
	LagP99      int64  `json:"lag_p99_ms"`
	Datagrams   uint64 `json:"datagrams"`
	Bytes       uint64 `json:"bytes"`
	// FailOvers is how often spectators switched to another host, and States how many states the hosts encoded for
	// them.
	FailOvers uint64 `json:"fail_overs"`
	States    uint64 `json:"states_sent"`
	// Units has the statistics of all matches, in a game with units.
	Units *Census `json:"units,omitempty"`
}

func (k peerKind) flag() string {
	if k.mode == modeDrawn {
		return ""
	}
	return " --mode " + k.mode
}

func (peerKind) profiles() []string { return fleet.ProfileNames() }

func (peerKind) refuses(Game) error { return nil }

func (peerKind) takes(info *games.Info) (least, most int, usual []int) {
	for _, n := range []int{2, 3, 4, 8, 16} {
		if n >= info.MinPlayers && n <= info.MaxPlayers {
			usual = append(usual, n)
		}
	}
	if len(usual) == 0 {
		usual = []int{info.MinPlayers}
	}
	return info.MinPlayers, info.MaxPlayers, usual
}

func (k peerKind) draw(g Game, seed uint64, profile string, players int, length time.Duration) (drawn, error) {
	p, err := fleet.Draw(seed, profile, players, length)
	if err == nil {
		k.adapt(g.Info(), &p)
	}
	return drawnPeers(&p), err
}

// adapt changes a plan that was drawn for any game, to suit this game and the mode.
func (k peerKind) adapt(g *games.Info, p *fleet.Plan) {
	if g.MaxOrders > 0 {
		p.MaxOrders = g.MaxOrders
		p.Frames = max(p.Frames*session.Frame(g.TickRate)/session.Frame(p.TickRate), 1)
		p.TickRate = g.TickRate // steps of such a game take long, so it is played at its own rate
	}
	for i := range p.Machines {
		switch m := &p.Machines[i]; {
		case k.mode == modeLockstep:
			m.Window = 0
		case k.mode == modeRollback && m.Window == 0:
			m.Window = session.DefaultWindow
		}
	}
}

func (peerKind) parse(b []byte) (drawn, error) {
	p, err := fleet.ParsePlan(b)
	return drawnPeers(&p), err
}

func drawnPeers(p *fleet.Plan) drawn { return drawn{p, p.Seed, p.Players(), p.Profile} }

func (k peerKind) play(g Game, p plan, goOn func() bool) (outcome, error) {
	f := p.(*fleet.Plan)
	units := &census{tell: k.tell}
	res, err := g.soak(*f, k.data, units, goOn)
	if err != nil {
		return outcome{}, err
	}
	return outcome{
		violations: res.Violations, length: res.Length, digest: res.Digest, watched: len(f.Spectators) > 0, seen: res.Seen,
		add: func(row *soakRow) { row.addPeers(&res, units.result()) }, machines: peerTable(&res),
	}, nil
}

// peerTable shows the result of each machine.
func peerTable(res *fleet.Result) *console.Table {
	rows := console.NewTable("MACHINE", "PHASE", "GONE", "MATCHES", "FRAMES", "HEALTH", "ERROR")
	for i, m := range res.Machines {
		frames, health := "-", "-"
		if n := len(m.Outcomes); n > 0 {
			frames, health = fmt.Sprint(m.Outcomes[n-1].Frames), m.Outcomes[n-1].Health.String()
		}
		rows.Add(i, m.Phase, console.OrDash(m.Gone), len(m.Outcomes), frames, health, console.OrDash(console.ErrorText(m.Err)))
	}
	return rows
}

func (peerKind) shrink(p plan, fails func(plan) bool) drawn {
	least := fleet.Shrink(*p.(*fleet.Plan), fleet.DefaultShrinks, func(p fleet.Plan) bool { return fails(&p) })
	return drawnPeers(&least)
}

// addPeers adds a match between peers.
func (row *soakRow) addPeers(res *fleet.Result, units *Census) {
	if row.PeerCounts == nil {
		row.PeerCounts = &PeerCounts{}
	}
	n := row.PeerCounts
	n.Frames += res.Frames
	n.Stalls += res.Stalls
	n.Rollbacks += res.Rollbacks
	n.Resimulated += res.Resimulated
	n.Deepest = max(n.Deepest, res.Deepest)
	n.Datagrams += res.Datagrams
	n.Bytes += res.Bytes
	n.FailOvers += res.FailOvers
	n.States += res.States
	n.Units = n.Units.join(units)
	row.lag.Join(&res.Lag)
	n.LagP50, n.LagP99 = row.lag.Percentile(50).Milliseconds(), row.lag.Percentile(99).Milliseconds()
}

func (peerKind) heading() []any {
	return []any{"STALLS", "ROLLBACKS", "RESIMULATED", "DEEPEST", "LAG P50", "LAG P99", "BYTES/S", "WATCHED", "SEEN", "FAIL-OVERS", "STATES", "UNITS"}
}

// cells returns a machine's stalls and rollbacks per minute, its resimulated frames in percent of all, the bytes per
// second that a player sends to the others, and the figures of spectators.
func (peerKind) cells(row *soakRow) []any {
	minutes, n := row.Seconds/60*float64(row.Players), row.PeerCounts
	return []any{
		fmt.Sprintf("%.1f/min", float64(n.Stalls)/max(minutes, 1e-9)), fmt.Sprintf("%.0f/min", float64(n.Rollbacks)/max(minutes, 1e-9)),
		fmt.Sprintf("%.0f%%", 100*float64(n.Resimulated)/max(float64(n.Frames), 1)), n.Deepest,
		fmt.Sprintf("%d ms", n.LagP50), fmt.Sprintf("%d ms", n.LagP99), fmt.Sprintf("%.0f", float64(n.Bytes)/max(minutes*60, 1e-9)),
		row.Watched, row.Seen, n.FailOvers, n.States, n.Units,
	}
}

func (peerKind) legend() string {
	return "Stalls and rollbacks are in a minute of play of one player, resimulated frames in percent of all frames, lags over all links once a second, bytes of one player in a second to all others. Watched are matches with spectators; seen frames, fail-overs and encoded states are of these spectators. Units are the fewest, the median and the most in a state."
}
