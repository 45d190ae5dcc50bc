//go:build !js

package browsertest

import "testing"

// Rule: forgiven messages are no complaints, whenever they were forgiven; and no more are kept than there is room
// for.
func TestComplaintsAreForgivenAndBounded(t *testing.T) {
	var c Console
	c.Complain("expected 1")
	c.Forgive("expected")
	c.Complain("expected 2")
	if list := c.Complaints(); len(list) != 0 {
		t.Errorf("%q", list)
	}
	for range 2 * maxComplaints {
		c.Complain("worse")
	}
	if list := c.Complaints(); len(list) != maxComplaints-2 || list[0] != "worse" {
		t.Errorf("%d: %q", len(list), list[:1])
	}
}
