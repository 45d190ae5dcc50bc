package recordings

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
	"github.com/tickback/tickback/cmd/cli/internal/words"
	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
)

// statsResult describes the content of a recording. The tags are the keys of --json.
type statsResult struct {
	File    string  `json:"file"`
	Format  string  `json:"format"`
	Game    string  `json:"game"`
	First   uint32  `json:"first"`
	Frames  uint32  `json:"frames"`
	Seconds float64 `json:"seconds"`
	OK      bool    `json:"ok"`
	Error   string  `json:"error"` // empty when ok

	Bytes     int64           `json:"bytes"` // the size of the file
	Rate      float64         `json:"bytes_per_frame"`
	Hashes    uint32          `json:"hashes"`
	Keyframes uint32          `json:"keyframes"`
	Players   []playerStats   `json:"players"`
	Kinds     []kindStats     `json:"kinds"`
	Changes   []presenceStats `json:"presence"` // changes of the set of disconnected players
}

// playerStats is what one player did.
type playerStats struct {
	Player      int     `json:"player"`
	Changes     uint32  `json:"changes"` // frames whose input differs from the one before
	PerSecond   float64 `json:"changes_per_second"`
	Presses     uint32  `json:"presses"` // bits of the input that became 1
	Orders      uint32  `json:"orders"`  // frames with orders
	OrderBytes  uint64  `json:"order_bytes"`
	AwayFrames  uint32  `json:"away_frames"`
	AwaySeconds float64 `json:"away_seconds"`
}

// kindStats is the size of the chunks of one kind.
type kindStats struct {
	Kind   string  `json:"kind"`
	Chunks uint32  `json:"chunks"`
	Bytes  int64   `json:"bytes"`
	Rate   float64 `json:"bytes_per_frame"`
}

// presenceStats says which players are disconnected, and from which frame on.
type presenceStats struct {
	Frame   uint32  `json:"frame"`
	Seconds float64 `json:"seconds"`
	Gone    []int   `json:"gone"` // the players who are disconnected
}

func (a *family) statsCommand() *cobra.Command {
	var game string
	var json bool
	cmd := &cobra.Command{
		Use:   "stats FILE|DIRECTORY...",
		Short: "Print what is in recordings",
		Long: "Counts, for each recording, how often players change their inputs and press\n" +
			"something, who is away and when, and what each kind of chunk takes. Nothing is\n" +
			"simulated. A directory stands for all recordings below it.",
		Example: "  " + a.Name + " replay stats match.tbr\n" +
			"  " + a.Name + " replay stats --json recordings/",
		Args: disk.SomeFiles,
		RunE: func(cmd *cobra.Command, files []string) error { return a.stats(cmd.Context(), files, game, json) },
	}
	a.gameFlag(cmd, &game)
	jsonFlag(cmd, &json)
	return cmd
}

func (a *family) stats(ctx context.Context, args []string, game string, json bool) error {
	if err := a.checkGame(game); err != nil {
		return err
	}
	files, missing := disk.Expand(a.App, args)
	err := disk.Each(ctx, a.App, files, func(src io.Reader, _ *console.Progress) (statsResult, error) {
		return a.statsOne(ctx, src, game)
	}, func(path string, res statsResult, err error) {
		res.File, res.OK, res.Error = path, err == nil, console.ErrorText(err)
		switch {
		case json:
			a.PrintJSON(res)
		case res.Format != "":
			printStats(a.Stdout, &res)
		}
	})
	return cmp.Or(err, missing)
}

func (a *family) statsOne(ctx context.Context, src io.Reader, game string) (res statsResult, err error) {
	s := &recordingFile{}
	defer s.close()
	if err := s.sniff(src); err != nil {
		return res, err
	}
	r, format, size := s.r, formatTBR, s.size
	if r == nil {
		m, err := a.recorded(ctx, s, game)
		if err != nil {
			return res, err
		}
		r, format = m.r, formatRPLK
		size = 32 + 4*int64(r.Next()) // the size of an RPLK file
	}
	m, err := replay.Measure(ctx, r)
	if err != nil {
		return res, interrupted(ctx, err)
	}
	res = statsOf(m, r.Header())
	res.Format, res.Bytes = format, size
	res.Rate = perFrame(size, res.Frames)
	return res, m.Damage
}

// statsOf converts the measured values.
func statsOf(m *replay.Stats, h *tbr.Header) statsResult {
	frames, rate := m.Next-m.First, hertz(h)
	res := statsResult{
		Game: h.Game, First: m.First, Frames: frames, Seconds: float64(frames) / rate,
		Hashes: m.Hashes, Keyframes: m.Keyframes, Players: []playerStats{}, Kinds: []kindStats{}, Changes: []presenceStats{},
	}
	for p, s := range m.Players {
		one := playerStats{
			Player: p + 1, Changes: s.Changes, Presses: s.Presses, Orders: s.Orders, OrderBytes: s.OrderBytes,
			AwayFrames: s.Away, AwaySeconds: float64(s.Away) / rate,
		}
		if frames > 0 {
			one.PerSecond = float64(s.Changes) / res.Seconds
		}
		res.Players = append(res.Players, one)
	}
	for _, k := range m.Kinds {
		res.Kinds = append(res.Kinds, kindStats{k.Kind.String(), k.Chunks, k.Payload, perFrame(k.Payload, frames)})
	}
	for _, d := range m.Departures {
		one := presenceStats{Frame: d.Frame, Seconds: float64(d.Frame) / rate, Gone: []int{}}
		for p := range d.Gone.All() {
			one.Gone = append(one.Gone, int(p)+1)
		}
		res.Changes = append(res.Changes, one)
	}
	return res
}

func perFrame(bytes int64, frames uint32) float64 {
	if frames == 0 {
		return 0
	}
	return float64(bytes) / float64(frames)
}

// printStats prints the result for people.
func printStats(w io.Writer, res *statsResult) {
	fmt.Fprintf(w, "%s: %s of %s, %d frames from frame %d on (%s), %d bytes, %.3f a frame\n",
		console.Printable(disk.NameOf(res.File)), res.Format, console.Printable(res.Game), res.Frames, res.First, clock(res.Seconds), res.Bytes, res.Rate)
	rows := console.NewTable("  PLAYER", "CHANGES", "A SECOND", "PRESSES", "ORDERS", "BYTES OF THEM", "AWAY")
	for _, p := range res.Players {
		rows.Add(fmt.Sprintf("  %d", p.Player), p.Changes, fmt.Sprintf("%.2f", p.PerSecond), p.Presses, p.Orders, p.OrderBytes, clock(p.AwaySeconds))
	}
	rows.Print(w)
	rows = console.NewTable("  CHUNKS", "NUMBER", "BYTES", "A FRAME")
	for _, k := range res.Kinds {
		rows.Add("  "+k.Kind, k.Chunks, k.Bytes, fmt.Sprintf("%.3f", k.Rate))
	}
	rows.Print(w)
	for _, c := range res.Changes {
		var gone tickback.PlayerSet
		for _, p := range c.Gone {
			gone |= 1 << (p - 1)
		}
		fmt.Fprintf(w, "  from frame %d (%s) on, %s away\n", c.Frame, clock(c.Seconds), arePeople(gone))
	}
}

// arePeople returns the names of players with a verb.
func arePeople(set tickback.PlayerSet) string {
	if set.Len() > 1 {
		return words.People(set) + " are"
	}
	return words.People(set) + " is"
}
