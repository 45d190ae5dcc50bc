package desync

import "testing"

// The text of a report has a line for each field, and no characters that a terminal
// interprets.
func TestTextOfAReport(t *testing.T) {
	r := aReport()
	r.Fields = append(r.Fields, Field{"Name\x1b[2J", []Value{{"a\nb", Present}, {"c", Present}}})
	const want = `state 120 is the first that differs, in at least 9 fields:
P[0].X: 1 (player 0), 2 (player 1)
P[1].Name: (missing) (player 0), (not known) (player 1)
Name�[2J: a�b (player 0), c (player 1)`
	if got := r.String(); got != want {
		t.Errorf("%s", got)
	}
	r.Fields, r.AtLeast, r.Total = r.Fields[:1], false, 1
	if got := r.String(); got != "state 120 is the first that differs, in 1 field:\nP[0].X: 1 (player 0), 2 (player 1)" {
		t.Errorf("%s", got)
	}
	r.Fields = nil
	if got := r.String(); got != "state 120 is the first that differs; no fields are known" {
		t.Errorf("%s", got)
	}
}
