package tickbacktest

import (
	"cmp"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/tickback/tickback/rollback"
)

// report returns the text of a failure. Without a shrinker there is no match to show.
func (h *hunter[S, I]) report(s *shrinker[S, I]) string {
	var b strings.Builder
	found := h.found
	if found.broken || found.frame < 0 {
		fmt.Fprintf(&b, "tickbacktest.%s: the game %s\n", h.name, sentence(found))
	} else {
		fmt.Fprintf(&b, "tickbacktest.%s: frame %d %s\n", h.name, found.frame, found.what)
	}
	writeDifferences(&b, found)
	for _, n := range found.notes {
		fmt.Fprintf(&b, "  %s\n", strings.ReplaceAll(n, "\n", "\n  "))
	}
	if s != nil {
		writeInputs(&b, h.match, found.frame)
		s.writeSearch(&b)
	}
	if len(found.causes) > 0 {
		b.WriteString("\nlikely causes:\n")
		for _, c := range found.causes {
			fmt.Fprintf(&b, "  - %s\n", c)
		}
	}
	if s != nil {
		again := cmp.Or(h.replay, "tickbacktest.Replay(t, game, %q)")
		fmt.Fprintf(&b, "\nto play exactly this again:\n  "+again+"\n", h.line(h.match))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// sentence describes what is wrong with a game for which no frame was played.
func sentence(f *failure) string {
	if f.frame < 0 && f.broken {
		return "cannot be tested so: " + f.what
	}
	return f.what
}

// mostValue is the maximum length of a value in a table.
const mostValue = 60

func brief(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > mostValue {
		return string(r[:mostValue-1]) + "…"
	}
	return text
}

// writeDifferences writes the fields and both values as a table.
func writeDifferences(b *strings.Builder, f *failure) {
	if f.diff.Total == 0 {
		return
	}
	w := tabwriter.NewWriter(b, 0, 0, 3, ' ', 0)
	fmt.Fprintf(w, "\n  state %d\t%s\t%s\n", f.state, f.first, f.second)
	for _, d := range f.diff.Differences {
		path := d.Path
		if path == "" {
			path = "(the state)"
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\n", path, brief(d.A), brief(d.B))
	}
	w.Flush()
	if more := f.diff.Total - len(f.diff.Differences); more > 0 {
		fmt.Fprintf(b, "  and %d more\n", more)
	}
	if len(f.notes) > 0 {
		b.WriteByte('\n')
	}
}

// mostRows is the maximum number of rows in the table of inputs. Frames that are equal to the one before share its
// row.
const mostRows = 12

// writeInputs writes the inputs up to a frame as a table.
func writeInputs[I comparable](b *strings.Builder, m *match[I], last int) {
	var rows []string
	last = min(max(last, 0), m.frames()-1)
	for end := last + 1; end > 0; {
		from := end - 1
		for from > 0 && rowOf(m, from-1) == rowOf(m, from) {
			from--
		}
		frames := fmt.Sprint(from)
		if from != end-1 {
			frames = fmt.Sprintf("%d to %d", from, end-1)
		}
		rows = append(rows, "  "+frames+rowOf(m, from))
		end = from
	}
	w := tabwriter.NewWriter(b, 0, 0, 3, ' ', 0)
	fmt.Fprint(w, "\n  frames")
	for p := range m.players {
		fmt.Fprintf(w, "\tplayer %d", p)
	}
	fmt.Fprintln(w)
	if len(rows) > mostRows {
		fmt.Fprintf(w, "  (%d rows before)\n", len(rows)-mostRows)
		rows = rows[:mostRows]
	}
	for i := len(rows) - 1; i >= 0; i-- {
		fmt.Fprintln(w, rows[i])
	}
	w.Flush()
}

// rowOf returns a row about what happens in a frame, with one column per player; "." means nothing.
func rowOf[I comparable](m *match[I], f int) string {
	var b strings.Builder
	for p := range m.players {
		i := f*m.players + p
		text := "."
		switch {
		case m.gone[f].Has(rollback.Player(p)):
			text = "gone"
		case m.inputs[i] != *new(I):
			text = brief(fmt.Sprintf("%+v", m.inputs[i]))
		}
		if o := m.orders[i]; len(o) > 0 {
			text += brief(fmt.Sprintf(" orders %x", o))
		}
		b.WriteString("\t" + text)
	}
	return b.String()
}

// writeSearch writes how the search found the match.
func (s *shrinker[S, I]) writeSearch(b *strings.Builder) {
	if s.count > 0 {
		fmt.Fprintf(b, "\nthis is the shortest of %d matches: %s, %s\n", s.played+s.count,
			count(s.match.frames(), "frame"), count(s.match.active(), "input")+" other than zero")
	}
	if s.failed < s.rated {
		fmt.Fprintf(b, "\nit does not always fail: %d of %d times\n", s.failed, s.rated)
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
