package main

import (
	"testing"

	"github.com/tickback/tickback/portable/strict"
	"github.com/tickback/tickback/tickbacktest"
)

// strictly skips a test of a build that the game would refuse: "tickback test --strict" makes the other kind.
func strictly(t *testing.T) {
	t.Helper()
	if _, err := strict.Proof(); err != nil {
		t.Skip(err)
	}
}

// Rule: two machines see the same game, whatever was predicted.
func TestDeterminism(t *testing.T) {
	strictly(t)
	tickbacktest.Check(t, online, tickbacktest.Options[Input]{Players: 2})
}

// Rule: peers agree on whole matches over a bad network.
func TestMatch(t *testing.T) {
	strictly(t)
	tickbacktest.Match(t, online, 2, "awful")
}
