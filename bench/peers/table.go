package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// section is a table of the page.
type section struct {
	title string
	rows  string // what the names of its rows begin with
	value string // the value of a row that it shows
	unit  string // of that value: ns, B, ... or a text behind the number
	ratio bool   // whether the others are shown as what they take of ours
	text  string // below the title
}

// sections returns the tables of the page, in order.
func sections() []section {
	return []section{
		{
			title: "A frame of a peer, in memory", rows: "frame/", value: "time", unit: "ns", ratio: true,
			text: "The near-empty game. Processor time of one frame of one peer: all that it receives, its step with rollbacks, all that it sends. " +
				"Of the others, how many times as long as Tickback they take; in parentheses the range of the rounds.",
		},
		{title: "A frame of the duel", rows: "duel/", value: "time", unit: "ns", ratio: true, text: "Two players."},
		{title: "A frame with a large state", rows: "large/", value: "time", unit: "ns", ratio: true, text: "Two players; a frame changes three words of the state."},
		{
			title: "The sync test", rows: "sync/", value: "time", unit: "ns", ratio: true,
			text: "A tick of the sync test of each library, with two players. At depth 0 nothing is tested and nothing saved. GGPO's test rolls back once in as many " +
				"frames as its depth, the others' in every frame.",
		},
		{title: "Allocations of a frame", rows: "frame/", value: "allocs", unit: "count", text: "How often a frame of a peer allocates memory."},
		{title: "Bytes sent", rows: "frame/", value: "bytes", unit: "B/s", text: "Payload that a peer sends in a second, to all others. UDP and IP add 28 bytes to each datagram."},
		{title: "Datagrams sent", rows: "frame/", value: "datagrams", unit: "count", text: "Datagrams that a peer sends in a second, to all others."},
		{title: "Memory", rows: "memory/", value: "memory", unit: "B", text: "The heap that a peer of the near-empty game keeps after a minute of play."},
		{title: "The longest RTT at which no frame waits", rows: "reach", value: "rtt", unit: "ms", text: "With a window of 8 frames and no input delay, in steps of 33 ms."},
		{
			title: "Frames that wait where datagrams are lost", rows: "loss/", value: "stalls", unit: "%",
			text: "Of all ticks of two peers at an RTT of 100 ms with 10 ms of jitter each way, those in which a peer ran no new frame; over five minutes.",
		},
		{title: "Connecting at 20 % of loss: half take longer", rows: "connect/", value: "median", unit: "ms", text: "In virtual time, at an RTT of 100 ms, until all peers play; over 101 seeds."},
		{title: "Connecting: the longest", rows: "connect/", value: "worst", unit: "ms"},
		{title: "Connecting: starts that failed", rows: "connect/", value: "failed", unit: "%"},
		{
			title: "Real processes: processor time of a frame", rows: "process/", value: "time", unit: "ns", ratio: true,
			text: "The near-empty game over loopback UDP, 60 frames a second, a process for each peer, all on this machine; system calls included.",
		},
		{title: "Real processes: context switches of a frame", rows: "process/", value: "switches", unit: "count"},
		{title: "Real processes: half of the turns take longer", rows: "process/", value: "p50", unit: "us"},
		{title: "Real processes: one turn of 100 takes longer", rows: "process/", value: "p99", unit: "us"},
		{title: "Real processes: the longest turn", rows: "process/", value: "worst", unit: "us"},
	}
}

// render returns the tables as Markdown.
func render(r *results, machine string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", machine)
	for _, s := range sections() {
		s.render(&b, r)
	}
	renderOthers(&b, r)
	renderMissing(&b, r)
	return b.String()
}

func (s section) render(b *strings.Builder, r *results) {
	var lines []string
	for _, row := range rows() {
		if len(r.samples[row.name]) == 0 || !strings.HasPrefix(row.name, s.rows) {
			continue
		}
		line := "| " + row.title + " |"
		for i, l := range r.libraries {
			if !l.world {
				line += " " + s.cell(r, row.name, l, i == 0) + " |"
			}
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "\n### %s\n\n", s.title)
	if s.text != "" {
		fmt.Fprintf(b, "%s\n\n", s.text)
	}
	fmt.Fprint(b, "| |")
	for _, l := range r.libraries {
		if !l.world {
			fmt.Fprintf(b, " %s |", l.name)
		}
	}
	fmt.Fprintf(b, "\n|---|%s\n", strings.Repeat("---|", len(strings.Split(lines[0], "|"))-3))
	fmt.Fprintf(b, "%s\n", strings.Join(lines, "\n"))
}

// cell returns what a table shows of a library.
func (s section) cell(r *results, row string, l *library, ours bool) string {
	values := r.values(row, l, s.value)
	switch {
	case len(values) == 0:
		return "-"
	case ours || !s.ratio:
		return quantity(median(values), s.unit)
	}
	return ratios(values, r.values(row, r.libraries[0], s.value))
}

// values returns a value of a row in all rounds.
func (r *results) values(row string, l *library, name string) (all []float64) {
	for _, s := range r.samples[row][l] {
		if v, found := s[name]; found {
			all = append(all, v)
		}
	}
	return all
}

// ratios returns the median of what a takes of b in the same round, and its range if there are several rounds.
func ratios(a, b []float64) string {
	var all []float64
	for i := range min(len(a), len(b)) {
		if b[i] > 0 {
			all = append(all, a[i]/b[i])
		}
	}
	switch len(all) {
	case 0:
		return "-"
	case 1:
		return figures(all[0])
	}
	return fmt.Sprintf("%s (%s to %s)", figures(median(all)), figures(slices.Min(all)), figures(slices.Max(all)))
}

// median returns the middle one of some values, of which there is one at least, or the mean of the two in the middle.
func median(values []float64) float64 {
	s := slices.Sorted(slices.Values(values))
	return (s[len(s)/2] + s[(len(s)-1)/2]) / 2
}

// figures returns a number with two digits behind the point if it is small, and fewer if it is larger.
func figures(v float64) string {
	switch {
	case v < 9.995:
		return fmt.Sprintf("%.2f", v)
	case v < 99.95:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

// quantity returns a value with its unit, in one that suits its size.
func quantity(v float64, unit string) string {
	switch unit {
	case "ns":
		for _, u := range []struct {
			name string
			size float64
		}{{"ms", 1e6}, {"us", 1e3}} {
			if v >= 0.9995*u.size {
				return significant(v/u.size) + " " + u.name
			}
		}
	case "B":
		return fmt.Sprintf("%.1f KB", v/1000)
	case "B/s":
		return significant(v/1000) + " KB"
	case "count", "%":
		percent := map[bool]string{true: " %"}[unit == "%"]
		switch {
		case v == 0:
			return "0" + percent
		case v < 0.01:
			return "under 0.01" + percent
		}
		return figures(v) + percent
	}
	return significant(v) + " " + unit
}

// significant returns a number with three digits, or more if it has more before the point.
func significant(v float64) string {
	if v == 0 {
		return "0"
	}
	digits := max(0, 2-int(math.Floor(math.Log10(math.Abs(v)))))
	return fmt.Sprintf("%.*f", digits, v)
}

// renderPairs renders a row of two libraries whose values are the lines of a table.
func (r *results) renderPairs(b *strings.Builder, row, title, text, head string, ours, other *library, lines [][2]string) {
	if other == nil || len(r.samples[row][ours]) == 0 {
		return
	}
	fmt.Fprintf(b, "\n### %s\n\n%s\n\n%s\n|---|---|---|---|\n", title, text, head)
	for _, line := range lines {
		first, second := r.values(row, ours, line[0]), r.values(row, other, line[0])
		if len(first) > 0 && len(second) > 0 {
			fmt.Fprintf(b, "| %s | %s | %s | %s |\n", line[1], quantity(median(first), "ns"), quantity(median(second), "ns"), ratios(second, first))
		}
	}
}

// renderOthers renders the rows that have another form: the engine, and worlds.
func renderOthers(b *strings.Builder, r *results) {
	find := func(row string) *library {
		for _, l := range r.libraries[1:] {
			if len(r.samples[row][l]) > 0 {
				return l
			}
		}
		return nil
	}
	ours := r.libraries[0]
	if bare := find("engine"); bare != nil {
		r.renderPairs(b, "engine", "Tickback's engine over bare loops in Rust",
			"The duel. A tick of the engine, with its inputs and agreement, beside a step and a copy of the state; a tick that rolls back 7 frames, "+
				"with the hash of an agreed frame, beside 8 steps, 8 copies and a hash.",
			"| | bare loop | Tickback | times the loop |", bare, ours,
			[][2]string{{"plain", "a tick"}, {"rollback", "a tick that rolls back 7 frames"}})
	}
	r.renderPairs(b, "worlds", "Worlds: save and load",
		"Package `world` beside bevy_ggrs 0.22: 10,000 units of 88 bytes in eight columns, or components. A save of Tickback's is with the copies of pages that it "+
			"causes in the next tick. Going back is by eight ticks, again and again to the same one.",
		"| | Tickback | bevy_ggrs | times as long |", ours, find("worlds"), [][2]string{
			{"save-moving", "save, all move"},
			{"restore-moving", "go back, all move"},
			{"save-hurt", "save, 1 % lose health"},
			{"restore-hurt", "go back, 1 % lose health"},
		})
}

// renderMissing says why figures are missing.
func renderMissing(b *strings.Builder, r *results) {
	seen := map[string]bool{}
	var lines []string
	for _, row := range rows() {
		for _, l := range r.libraries {
			why := r.missing[row.name][l]
			if why == "" || row.name == "engine" {
				continue
			}
			line := fmt.Sprintf("- %s: %s", l.name, strings.TrimPrefix(why, errLacks.Error()+": "))
			if l.program != "" && !strings.Contains(why, errLacks.Error()) {
				line = fmt.Sprintf("- %s, %s: %s", l.name, row.name, why)
			}
			if !seen[line] {
				seen[line] = true
				lines = append(lines, line)
			}
		}
	}
	if len(lines) > 0 {
		fmt.Fprintf(b, "\nWhere there is a dash:\n\n%s\n", strings.Join(lines, "\n"))
	}
}
