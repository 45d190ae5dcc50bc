package netplay

import (
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/words"
)

// explainDesync names the first frame and the first field that differ.
func explainDesync(r *tickback.DesyncReport) *foyer.Trouble {
	t := &foyer.Trouble{Title: words.T("The game has come apart"), What: words.T("Not all machines had the same match.")}
	if r == nil {
		t.Help = words.T("There is no report on it. Play again; if it happens again, load the page again.")
		return t
	}
	t.What = words.F("From frame %d on, not all machines had the same match.", r.State)
	if len(r.Fields) > 0 {
		t.What += " " + words.F("The first difference is in %s.", r.Fields[0].Path)
	}
	t.Help = words.T("Save the report: \"tickback desync show\" explains it.")
	t.Report = r.Append(nil)
	return t
}
