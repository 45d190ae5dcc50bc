package desync

import (
	"fmt"
	"strings"

	"github.com/tickback/tickback/rollback"
)

// String says which state is the first that differs, and how: a line for each field, with the values of all groups.
// It is for logs; "tickback desync show" prints everything.
func (r *Report) String() string {
	if len(r.Fields) == 0 {
		return fmt.Sprintf("state %d is the first that differs; no fields are known", r.State)
	}
	least := ""
	if r.AtLeast {
		least = "at least "
	}
	fields := "fields"
	if r.Total == 1 {
		fields = "field"
	}
	lines := []string{fmt.Sprintf("state %d is the first that differs, in %s%d %s:", r.State, least, r.Total, fields)}
	for _, f := range r.Fields {
		var values []string
		for g, v := range f.Values {
			values = append(values, fmt.Sprintf("%s (%s)", harmless(v.String()), rollback.PlayerSet(r.Members(g))))
		}
		lines = append(lines, harmless(f.Path)+": "+strings.Join(values, ", "))
	}
	return strings.Join(lines, "\n")
}

// harmless returns the text of a peer without control characters, which a terminal would interpret.
func harmless(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return '\uFFFD'
		}
		return r
	}, text)
}
