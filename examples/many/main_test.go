package main

import "testing"

// Rule: the example plays its matches to their end.
func TestTheMatchesEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("it plays in real time")
	}
	if err := play(3); err != nil {
		t.Fatal(err)
	}
}
