package main

import (
	"testing"

	"github.com/tickback/tickback/tickbacktest"
)

// Rule: two machines see the same game, whatever was predicted: "tickback test --strict" runs it.
func TestDeterminism(t *testing.T) {
	tickbacktest.Check(t, online, tickbacktest.Options[Input]{Players: 2})
}

// Rule: peers agree on whole matches over a bad network.
func TestMatch(t *testing.T) {
	tickbacktest.Match(t, online, 2, "awful")
}
