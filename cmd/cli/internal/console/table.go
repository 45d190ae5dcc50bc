package console

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Table is output for people: a heading and rows, in columns.
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
	tw.Flush() // w is buffered, and Run reports its errors
}

// PrintJSON writes one object on its own line, and flushes it, since a reader may be waiting for it.
func (a *App) PrintJSON(object any) {
	line, err := json.Marshal(object)
	if err != nil {
		panic("cli: an object of ours is no JSON: " + err.Error())
	}
	fmt.Fprintf(a.Stdout, "%s\n", line)
	a.Stdout.Flush() // the writer keeps its errors, and Run reports them
}

// ErrorText returns an error's text for JSON, or an empty one for nil.
func ErrorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// OrDash returns the text, or a dash if it is empty.
func OrDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
