package console

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Table is what a person reads: a heading and rows, in columns.
type Table struct{ rows []string }

// NewTable returns a table with this heading and no rows.
func NewTable(heading ...any) *Table {
	t := &Table{}
	t.Add(heading...)
	return t
}

// Add appends a row. Cells are shown as fmt.Print shows them.
func (t *Table) Add(cells ...any) {
	words := make([]string, len(cells))
	for i, c := range cells {
		words[i] = Printable(fmt.Sprint(c))
	}
	t.rows = append(t.rows, strings.Join(words, "\t"))
}

// Print writes the table, if it has rows below the heading.
func (t *Table) Print(w io.Writer) {
	if len(t.rows) < 2 {
		return
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range t.rows {
		fmt.Fprintln(tw, row)
	}
	tw.Flush() // w is buffered: Run sees its errors
}

// PrintJSON writes one object on a line of its own, at once: whoever reads it
// may wait for it.
func (a *App) PrintJSON(object any) {
	line, err := json.Marshal(object)
	if err != nil {
		panic("cli: an object of ours is no JSON: " + err.Error())
	}
	fmt.Fprintf(a.Stdout, "%s\n", line)
	a.Stdout.Flush() // Run sees its errors: they stick to the writer
}

// ErrorText is an error as JSON shows it: empty without one.
func ErrorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// OrDash is text, or a dash where there is none.
func OrDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
