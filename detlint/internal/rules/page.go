package rules

import (
	_ "embed"
	"strings"
)

// Page is the text about all rules, in Markdown: docs/reference/detlint-rules.md is a copy.
//
//go:embed rules.md
var Page string

// Section returns what the page says about a rule: why it exists, and code that is wrong and right.
func (r *Rule) Section() string {
	_, text, _ := strings.Cut(Page, "\n## "+r.Name+"\n\n")
	text, _, _ = strings.Cut(text, "\n## ")
	return strings.TrimRight(text, "\n") + "\n"
}
