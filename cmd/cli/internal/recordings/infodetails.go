package recordings

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/replay/tbr"
)

// infoOf returns the information in a recording in our format. The error describes damage.
func infoOf(ctx context.Context, s *recordingFile) (res infoResult, err error) {
	r := s.r
	h := r.Header()
	res = infoResult{
		Format: formatTBR, Seed: h.Seed, Frames: r.Next() - r.First(), Game: h.Game, First: r.First(),
		Players: h.Shape.Players, TickRate: h.TickRate,
		Seconds: float64(r.Next()-r.First()) / hertz(h),
		Details: detailsOf(h),
	}
	if h.Rate.Given() {
		res.Rate = h.Rate.String()
	}
	end, closed := r.End()
	if res.Complete = closed; closed {
		d := res.Details
		d.Finished, d.Result, d.Reason, d.Digest = end.Finished, end.Result, end.Reason, hex.EncodeToString(end.Digest[:])
	}
	_, err = console.Await(ctx, func() (struct{}, error) { return struct{}{}, r.Check() })
	return res, err
}

// hertz returns the tick rate as a number, to be shown.
func hertz(h *tbr.Header) float64 {
	if h.Rate.Given() {
		return float64(h.Rate.Frames) / float64(h.Rate.Seconds)
	}
	return float64(h.TickRate)
}

func detailsOf(h *tbr.Header) *detailsResult {
	d := &detailsResult{
		Build: h.Build, Platform: h.Platform, Recorder: h.Recorder, Match: h.Match,
		InputSize: h.Shape.InputSize, MaxOrders: h.Shape.MaxOrders,
		Content: h.Content, Length: h.Length, DataBytes: len(h.Data),
		HashEvery: h.HashEvery, KeyframeEvery: h.KeyframeEvery, Meta: map[string]string{},
	}
	if h.Created != 0 {
		d.Created = time.UnixMilli(h.Created).UTC().Format(time.RFC3339)
	}
	for _, f := range h.Meta {
		d.Meta[f.Key] = f.Value
	}
	return d
}

// countedFromOne converts the text of a set of players from recordings, which count from 0, to one for people, who
// count from 1. Any other text is returned unchanged.
func countedFromOne(recorder string) string {
	if !strings.HasPrefix(recorder, "player ") && !strings.HasPrefix(recorder, "players ") {
		return recorder
	}
	return strings.Map(func(c rune) rune {
		if c >= '0' && c < '8' {
			return c + 1
		}
		return c
	}, recorder)
}

// printDetails prints the information about a single recording.
func printDetails(w io.Writer, res *infoResult) {
	d := res.Details
	line := func(name string, value any) {
		if text := fmt.Sprint(value); text != "" && text != "0" {
			fmt.Fprintf(w, "%-12s %s\n", console.Printable(name), console.Printable(text))
		}
	}
	fmt.Fprintln(w)
	line("build", d.Build)
	line("platform", d.Platform)
	line("recorded by", countedFromOne(d.Recorder))
	line("created", d.Created)
	line("match", d.Match)
	line("frames", fmt.Sprintf("%d to %d", res.First, res.First+res.Frames))
	line("players", fmt.Sprintf("%d, with inputs of %d bytes at %s frames/s", res.Players, d.InputSize, cmp.Or(res.Rate, strconv.Itoa(res.TickRate))))
	if d.MaxOrders > 0 {
		line("orders", fmt.Sprintf("of up to %d bytes", d.MaxOrders))
	}
	line("content", d.Content)
	line("data", sizeText(d.DataBytes))
	line("hashes", every(d.HashEvery, "frame"))
	line("keyframes", keyframeText(d.KeyframeEvery))
	if d.Finished {
		line("finished", fmt.Sprintf("with result %d", d.Result))
	}
	line("ended", d.Reason)
	line("body", d.Digest)
	names := make([]string, 0, len(d.Meta))
	for name := range d.Meta {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		line(name, d.Meta[name])
	}
}

func sizeText(bytes int) string {
	if bytes == 0 {
		return ""
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// every returns a text about how often something occurs.
func every(n int, what string) string {
	switch n {
	case 0:
		return "none"
	case 1:
		return "every " + what
	}
	return fmt.Sprintf("every %d %ss", n, what)
}

func keyframeText(n int) string {
	switch n {
	case 0:
		return "where they are small"
	case tbr.NoKeyframes:
		return "none"
	}
	return every(n, "segment")
}
