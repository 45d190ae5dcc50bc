package match

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// matchResult is how a match went, as this machine saw it. The tags are the keys of --json; null means not known.
type matchResult struct {
	seatResult
	endResult
	paceResult
	trafficResult
	memberResult
	Error string `json:"error"` // empty if all went well

	ending ending
}

// seatResult is who played here.
type seatResult struct {
	Game    string `json:"game"`
	Wire    string `json:"wire"`
	Secure  bool   `json:"secure"` // the match was encrypted
	Player  int    `json:"player"` // counted from 1, like all players here
	Players int    `json:"players"`
	Bot     string `json:"bot"`
}

// endResult is how the match ended.
type endResult struct {
	Seed     uint64 `json:"seed"`
	Frames   uint32 `json:"frames"`   // frames that all players have
	Checksum string `json:"checksum"` // the checksum of the last state; empty unless the match is over
	Health   string `json:"health"`   // unverified, healthy or desynced
	Reason   string `json:"reason"`   // length, finished, left, lost, removed, kicked, quorum, interrupted, desynced or failed
	Result   string `json:"result"`   // the game's own text; empty unless the game ended the match
	Report   string `json:"report"`   // the file that explains a desync; empty without one
}

// trafficResult is what was sent and received.
type trafficResult struct {
	Ping            *float64     `json:"ping_ms"` // smoothed, to the player with the longest ping
	BytesPerFrame   float64      `json:"bytes_per_frame"`
	PacketsPerFrame float64      `json:"packets_per_frame"`
	Fairness        *float64     `json:"fairness"` // the largest difference between peers in resimulated frames, in percent of all
	Peers           []peerResult `json:"peers"`
}

// memberResult is who came and left.
type memberResult struct {
	OnLeave  string          `json:"on_leave"`  // end or continue
	JoinedAt *tickback.Frame `json:"joined_at"` // the first frame that we played, of a match that was joined
	Log      []entryResult   `json:"log"`       // who joined and left, and the pauses
}

// ending is how far the match has come.
type ending struct {
	started, over, finished bool
	limit                   tickback.Frame
}

// paceResult says how evenly the frames ran.
type paceResult struct {
	Rollbacks   uint64   `json:"rollbacks"`
	Resimulated uint64   `json:"resimulated"` // frames
	MaxDepth    int      `json:"max_depth"`   // the depth of the deepest rollback, in frames
	Window      int      `json:"window"`      // the maximum number of frames on predictions
	Stalls      uint64   `json:"stalls"`
	Stalled     *float64 `json:"stalled_ms"` // how late frames were in total, because they waited for others
}

// entryResult is an entry of the log of who is in the match.
type entryResult struct {
	Frame   uint32 `json:"frame"`
	Entry   string `json:"entry"`   // leave, drop, kick, join, pause, resume or end
	Players []int  `json:"players"` // counted from 1
}

func logResult(log []tickback.Entry) []entryResult {
	list := make([]entryResult, 0, len(log))
	for _, e := range log {
		r := entryResult{Frame: uint32(e.Frame), Entry: e.Kind.String(), Players: []int{}}
		for p := range e.Players.All() {
			r.Players = append(r.Players, int(p)+1)
		}
		list = append(list, r)
	}
	return list
}

// peerResult is what is known about the connection to another player.
type peerResult struct {
	Player        int      `json:"player"`
	Address       string   `json:"address"`
	Ping          *float64 `json:"ping_ms"`
	Jitter        *float64 `json:"jitter_ms"`   // mean deviation of the ping
	PathFrames    int      `json:"path_frames"` // the time that inputs are in transit, in tick periods
	Waited        *float64 `json:"waited_ms"`   // the part of the stalled time that was spent waiting for this player
	Sent          uint64   `json:"sent"`        // datagrams, of all kinds
	SentBytes     uint64   `json:"sent_bytes"`
	Received      uint64   `json:"received"`
	ReceivedBytes uint64   `json:"received_bytes"`
	Lost          *uint64  `json:"lost"` // approximate number of datagrams that did not arrive here
}

func newMatchResult(s *matchSetup) *matchResult {
	return &matchResult{
		seatResult:    seatResult{s.seat.game.ID, s.seat.wire, s.tokens.secure != nil, int(s.seat.player) + 1, s.seat.players, s.seat.bot},
		endResult:     endResult{Seed: s.terms.seed, Health: session.Unverified.String(), Reason: "failed"},
		trafficResult: trafficResult{Peers: []peerResult{}},
		memberResult:  memberResult{OnLeave: strings.ToLower(s.members.onLeave.String()), Log: []entryResult{}},
	}
}

// complete reports whether the match ended as intended, and records how.
func (r *matchResult) complete() bool {
	switch {
	case r.ending.finished:
		r.Reason = "finished"
	case r.ending.limit != 0 && r.Frames == uint32(r.ending.limit):
		r.Reason = "length"
	default:
		return false
	}
	return true
}

// engine fills in the counts of the engine.
func (r *paceResult) engine(s rollback.Stats) {
	r.Rollbacks, r.Resimulated, r.MaxDepth = s.Rollbacks, s.Resimulated, s.Deepest
}

// sent fills in how much was sent to all others while playing.
func (r *trafficResult) sent(datagrams, bytes uint64, frames tickback.Frame) {
	if frames > 0 {
		r.PacketsPerFrame = float64(datagrams) / float64(frames)
		r.BytesPerFrame = float64(bytes) / float64(frames)
	}
}

// peer adds what is known about a link.
func (r *trafficResult) peer(l session.LinkStats) {
	p := peerResult{
		Address: l.Addr.String(), Sent: l.Sent, SentBytes: l.SentBytes,
		Received: l.Received, ReceivedBytes: l.ReceivedBytes, Lost: new(l.Lost),
		PathFrames: l.PathFrames, Waited: inMilliseconds(l.Waited),
	}
	for player := range l.Players.All() {
		p.Player = int(player) + 1
	}
	if l.RoundTrip > 0 {
		p.Ping, p.Jitter = inMilliseconds(l.RoundTrip), inMilliseconds(l.Deviation)
		if r.Ping == nil || *p.Ping > *r.Ping {
			r.Ping = p.Ping
		}
	}
	r.Peers = append(r.Peers, p)
}

func inMilliseconds(d time.Duration) *float64 {
	return new(float64(d.Microseconds()) / 1000)
}

// sentence describes the end of a match in words.
func (r *matchResult) sentence() string {
	text := fmt.Sprintf("the match is over after %d frames", r.Frames)
	if !r.ending.over {
		text = fmt.Sprintf("the match was left; %d frames are certain", r.Frames)
	}
	if r.Result != "" {
		text += ": " + r.Result
	}
	return text
}

// print writes the summary for people.
func (r *matchResult) print(w io.Writer) {
	rows := console.NewTable("GAME", "PLAYER", "FRAMES", "SEED", "CHECKSUM", "HEALTH", "ENDED BY")
	rows.Add(r.Game, fmt.Sprintf("%d of %d", r.Player, r.Players), r.Frames, r.Seed, console.OrDash(r.Checksum), r.Health, r.Reason)
	rows.Print(w)
	rows = console.NewTable("ROLLBACKS", "RESIMULATED", "MAX DEPTH", "STALLS", "PING", "BYTES/FRAME", "PACKETS/FRAME", "FAIRNESS")
	rows.Add(r.Rollbacks, r.Resimulated, r.MaxDepth, r.Stalls, orUnknown(r.Ping, "%.1f ms"),
		fmt.Sprintf("%.1f", r.BytesPerFrame), fmt.Sprintf("%.2f", r.PacketsPerFrame), orUnknown(r.Fairness, "%.2f %%"))
	rows.Print(w)
	if text := r.waits(); text != "" {
		fmt.Fprintf(w, "%s\n\n", text)
	}
	rows = console.NewTable("FRAME", "ENTRY", "PLAYERS")
	for _, e := range r.Log {
		rows.Add(e.Frame, e.Entry, strings.Trim(fmt.Sprint(e.Players), "[]"))
	}
	rows.Print(w)
	if r.Result != "" {
		fmt.Fprintf(w, "Result: %s\n", console.Printable(r.Result))
	}
}

// worthTelling is the minimum waiting time for a player, in milliseconds, that the summary mentions.
const worthTelling = 100

// waits names the players for whom frames have waited; it is empty if no wait is worth mentioning.
func (r *matchResult) waits() string {
	var list []string
	for _, p := range r.Peers {
		if p.Waited != nil && *p.Waited >= worthTelling {
			list = append(list, fmt.Sprintf("%.1f s for player %d", *p.Waited/1000, p.Player))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf("Frames waited %.1f s: %s.", *r.Stalled/1000, strings.Join(list, ", "))
}

func orUnknown(v *float64, format string) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf(format, *v)
}
