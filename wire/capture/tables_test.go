package capture_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// tableRow is a row of a table of docs/reference/wire.md.
type tableRow struct{ field, bytes, present string }

// tableSet has the tables of the page, by their headings.
type tableSet map[string][]tableRow

// tablesUsed has the tables that were looked up.
var tablesUsed = map[string]bool{}

// named returns the rows of a table that must exist.
func (w tableSet) named(table string) []tableRow {
	tablesUsed[table] = true
	if len(w[table]) == 0 {
		fail("no table %q", table)
	}
	return w[table]
}

const tableHead = "| field | bytes | present | meaning |"

// parsePage reads the tables of a page.
func parsePage(page string) tableSet {
	tables, heading, inside := tableSet{}, "", false
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "#"):
			heading = strings.TrimLeft(line, "# ")
		case line == tableHead:
			inside = true
		case !strings.HasPrefix(line, "|"):
			inside = false
		case inside && !strings.HasPrefix(line, "|--"):
			c := strings.Split(line, "|")
			tables[heading] = append(tables[heading], tableRow{strings.TrimSpace(c[1]), strings.TrimSpace(c[2]), strings.TrimSpace(c[3])})
		}
	}
	return tables
}

func readPage(t testing.TB) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/reference/wire.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// message returns the name of the table of a control message.
func (w tableSet) message(kind byte) string {
	for name := range w {
		if strings.HasPrefix(name, fmt.Sprintf("Message %d:", kind)) {
			return name
		}
	}
	panic(decodeError(fmt.Sprintf("no message %d", kind)))
}
