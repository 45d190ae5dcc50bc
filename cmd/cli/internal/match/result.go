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
	Game     string `json:"game"`
	Wire     string `json:"wire"`
	Secure   bool   `json:"secure"` // encrypted
	Player   int    `json:"player"` // from 1 on, everywhere
	Players  int    `json:"players"`
	Bot      string `json:"bot"`
	Seed     uint64 `json:"seed"`
	Frames   uint32 `json:"frames"`   // that all players have
	Checksum string `json:"checksum"` // of the last state; empty unless the match is over
	Health   string `json:"health"`   // unverified, healthy or desynced
	Reason   string `json:"reason"`   // length, finished, left, lost, removed, kicked, quorum, interrupted, desynced or failed
	Result   string `json:"result"`   // the game's own; empty unless it ended the match
	Report   string `json:"report"`   // the file that explains a desync; empty without one

	paceResult

	Ping            *float64     `json:"ping_ms"` // smoothed, to the farthest player
	BytesPerFrame   float64      `json:"bytes_per_frame"`
	PacketsPerFrame float64      `json:"packets_per_frame"`
	Fairness        *float64     `json:"fairness"` // how many more frames one peer resimulates than another, in percent of all
	Peers           []peerResult `json:"peers"`

	OnLeave  string          `json:"on_leave"`  // end or continue
	JoinedAt *tickback.Frame `json:"joined_at"` // the first frame that we played, of a match that was joined
	Log      []entryResult   `json:"log"`       // who came and went, and pauses

	Error string `json:"error"` // empty if all went well

	started, over, finished bool
	limit                   tickback.Frame
}

// paceResult is how evenly the frames ran.
type paceResult struct {
	Rollbacks   uint64   `json:"rollbacks"`
	Resimulated uint64   `json:"resimulated"` // frames
	MaxDepth    int      `json:"max_depth"`   // frames of the deepest rollback
	Window      int      `json:"window"`      // frames that might run on predictions
	Stalls      uint64   `json:"stalls"`
	Stalled     *float64 `json:"stalled_ms"` // how late frames were in total, because they waited for others
}

// entryResult is an entry of the log of who is in the match.
type entryResult struct {
	Frame   uint32 `json:"frame"`
	Entry   string `json:"entry"`   // leave, drop, kick, join, pause, resume or end
	Players []int  `json:"players"` // from 1 on
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
	PathFrames    int      `json:"path_frames"` // tick periods that inputs are in transit
	Waited        *float64 `json:"waited_ms"`   // the part of the stalled time that was for this player
	Sent          uint64   `json:"sent"`        // datagrams, of all kinds
	SentBytes     uint64   `json:"sent_bytes"`
	Received      uint64   `json:"received"`
	ReceivedBytes uint64   `json:"received_bytes"`
	Lost          *uint64  `json:"lost"` // datagrams that did not arrive here, approximately
}

func newMatchResult(s *matchSetup) *matchResult {
	return &matchResult{
		Game: s.game.ID, Wire: s.wire, Secure: s.secure != nil, Player: int(s.player) + 1, Players: s.players, Bot: s.bot,
		Seed: s.seed, Health: session.Unverified.String(), Reason: "failed", Peers: []peerResult{},
		OnLeave: strings.ToLower(s.onLeave.String()), Log: []entryResult{},
	}
}

// complete reports whether the match reached its own end, and records which.
func (r *matchResult) complete() bool {
	switch {
	case r.finished:
		r.Reason = "finished"
	case r.limit != 0 && r.Frames == uint32(r.limit):
		r.Reason = "length"
	default:
		return false
	}
	return true
}

// engine fills in the counts of the engine.
func (r *matchResult) engine(s rollback.Stats) {
	r.Rollbacks, r.Resimulated, r.MaxDepth = s.Rollbacks, s.Resimulated, s.Deepest
}

// traffic fills in what was sent to all others while playing.
func (r *matchResult) traffic(datagrams, bytes uint64, frames tickback.Frame) {
	if frames > 0 {
		r.PacketsPerFrame = float64(datagrams) / float64(frames)
		r.BytesPerFrame = float64(bytes) / float64(frames)
	}
}

// peer adds what is known about a link.
func (r *matchResult) peer(l session.LinkStats) {
	p := peerResult{
		Address: l.Addr.String(), Sent: l.Sent, SentBytes: l.SentBytes,
		Received: l.Received, ReceivedBytes: l.ReceivedBytes, Lost: new(l.Lost),
	}
	for player := range l.Players.All() {
		p.Player = int(player) + 1
	}
	if r.Stalled != nil {
		p.PathFrames, p.Waited = l.PathFrames, inMilliseconds(l.Waited)
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
	if !r.over {
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

// worthTelling is the least waiting time for a player, in milliseconds, that the summary mentions.
const worthTelling = 100

// waits says for whom frames have waited, or nothing if no wait is worth mentioning.
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
