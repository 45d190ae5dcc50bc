package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// leastKnown is how much of a file, in percent of its words, must be known licences. The rest are names and years,
// and what a file with several licences says about which applies to what.
const leastKnown = 75

// noticeOnly are the licences that only require that their text is passed on. The patent clause grants more, and
// requires nothing.
var noticeOnly = []string{
	"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "GooglePatentClause", "ISC", "MIT", "MIT-0", "Unlicense", "Zlib",
}

// kind identifies the licences in a text: SPDX identifiers, with commas.
func kind(text string) (string, error) {
	found := licensecheck.Scan([]byte(text))
	if len(found.Match) == 0 || found.Percent < leastKnown {
		return "", fmt.Errorf("the licence is not known: only %.0f %% of its text are", found.Percent)
	}
	var ids []string
	for _, m := range found.Match {
		if !slices.Contains(noticeOnly, m.ID) {
			return "", fmt.Errorf("the licence %s is none of those that ask for a notice only: %s", m.ID, strings.Join(noticeOnly, ", "))
		}
		if !slices.Contains(ids, m.ID) {
			ids = append(ids, m.ID)
		}
	}
	return strings.Join(ids, ", "), nil
}
