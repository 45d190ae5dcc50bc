package tickbacktest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/tickback/tickback/predict"
)

// conclude returns the report of a failure, or "".
func (p *foresight[S, I]) conclude() string {
	if p.found == nil {
		if p.found = p.nothing(); p.found == nil {
			return ""
		}
	}
	if !p.found.broken {
		p.shrink()
	}
	return p.report()
}

// nothing returns a failure if the sequences played prove nothing.
func (p *foresight[S, I]) nothing() *failure {
	switch {
	case p.probe.compared == 0:
		return refusal(errors.New("no moves were compared, so that this would pass whatever the step did"))
	case !p.probe.varied:
		f := refusal(errors.New("no move changes the state, so that this would pass whatever the step did"))
		f.causes = []string{"nothing happens with these inputs, or from this start: see PredictionOptions.Start and Generate"}
		return f
	}
	return nil
}

// shrinkRuns bounds how many sequences are played to find a shorter one.
const shrinkRuns = 2000

// shrink looks for the shortest and simplest sequence that fails in the same way.
func (p *foresight[S, I]) shrink() {
	runs := 0
	accept := func(moves []predict.Move[I]) bool {
		if runs++; runs > shrinkRuns || len(moves) == 0 {
			return false
		}
		f := p.try(moves)
		if f == nil || !p.found.like(f) {
			return false
		}
		p.found, p.moves = f, moves
		return true
	}
	accept(p.moves[:min(p.found.frame+1, len(p.moves))])
	for again := true; again && runs <= shrinkRuns; {
		again = false
		for i := len(p.moves) - 1; i >= 0; i-- {
			if i < len(p.moves) && accept(slices.Delete(slices.Clone(p.moves), i, i+1)) {
				again = true
				continue
			}
			if i < len(p.moves) && p.simplify(i, accept) {
				again = true
			}
		}
	}
}

// simplify makes the i-th move simpler: zero input, or as long as the cadence.
func (p *foresight[S, I]) simplify(i int, accept func([]predict.Move[I]) bool) bool {
	m := p.moves[i]
	var simpler []predict.Move[I]
	if m.For != p.motion.Cadence {
		simpler = append(simpler, predict.Move[I]{Input: m.Input, For: p.motion.Cadence})
	}
	inputs := []I{*new(I)}
	if p.Generate == nil {
		inputs = append(inputs, p.inputs.simpler(m.Input)...)
	}
	for _, in := range inputs {
		if in != m.Input && p.inputs.weight(in) < p.inputs.weight(m.Input) {
			simpler = append(simpler, predict.Move[I]{Input: in, For: m.For})
		}
	}
	return slices.ContainsFunc(simpler, func(s predict.Move[I]) bool {
		moves := slices.Clone(p.moves)
		moves[i] = s
		return accept(moves)
	})
}

// report returns the text of what was found.
func (p *foresight[S, I]) report() string {
	var b strings.Builder
	f := p.found
	switch {
	case f.broken || f.frame < 0:
		fmt.Fprintf(&b, "tickbacktest.Prediction: the game %s\n", sentence(f))
	default:
		m := p.moves[f.frame]
		fmt.Fprintf(&b, "tickbacktest.Prediction: move %d, %v of %s, %s\n", f.frame, m.For, brief(fmt.Sprintf("%+v", m.Input)), f.what)
	}
	writeDifferences(&b, f)
	for _, n := range f.notes {
		fmt.Fprintf(&b, "  %s\n", strings.ReplaceAll(n, "\n", "\n  "))
	}
	if !f.broken {
		p.writeMoves(&b)
	}
	if len(f.causes) > 0 {
		b.WriteString("\nlikely causes:\n")
		for _, c := range f.causes {
			fmt.Fprintf(&b, "  - %s\n", c)
		}
	}
	if !f.broken {
		p.writeAgain(&b)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// writeMoves writes the moves up to the one that is wrong as a table.
func (p *foresight[S, I]) writeMoves(b *strings.Builder) {
	w := tabwriter.NewWriter(b, 0, 0, 3, ' ', 0)
	fmt.Fprint(w, "\n  move\tfor\tinput\n")
	from := max(0, p.found.frame+1-mostRows)
	if from > 0 {
		fmt.Fprintf(w, "  (%d before)\n", from)
	}
	for i, m := range p.moves[from : p.found.frame+1] {
		fmt.Fprintf(w, "  %d\t%v\t%s\n", from+i, m.For, brief(fmt.Sprintf("%+v", m.Input)))
	}
	w.Flush()
}

// writeAgain writes Go code that plays the sequence again.
func (p *foresight[S, I]) writeAgain(b *strings.Builder) {
	fmt.Fprintf(b, "\nto play exactly this again:\n  PredictionOptions.Moves: []predict.Move[%T]{", *new(I))
	for i, m := range p.moves {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, "{Input: %#v, For: %d}", m.Input, int64(m.For))
	}
	b.WriteString("}\n")
}
