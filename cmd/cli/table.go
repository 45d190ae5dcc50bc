package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// table is what a person reads: a heading and rows, in columns.
type table struct{ rows []string }

func newTable(heading ...any) *table {
	t := &table{}
	t.add(heading...)
	return t
}

// add appends a row. Cells are shown as fmt.Print shows them.
func (t *table) add(cells ...any) {
	words := make([]string, len(cells))
	for i, c := range cells {
		words[i] = printable(fmt.Sprint(c))
	}
	t.rows = append(t.rows, strings.Join(words, "\t"))
}

// print writes the table, if it has rows below the heading.
func (t *table) print(w io.Writer) {
	if len(t.rows) < 2 {
		return
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range t.rows {
		fmt.Fprintln(tw, row)
	}
	tw.Flush() // w is buffered: Run sees its errors
}

// printJSON writes one object on a line of its own, at once: whoever reads it
// may wait for it.
func (a *app) printJSON(object any) {
	line, err := json.Marshal(object)
	if err != nil {
		panic("cli: an object of ours is no JSON: " + err.Error())
	}
	fmt.Fprintf(a.stdout, "%s\n", line)
	a.stdout.Flush() // Run sees its errors: they stick to the writer
}

// errorText is an error as JSON shows it: empty without one.
func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// orDash is text, or a dash where there is none.
func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
