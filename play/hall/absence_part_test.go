package hall

import "testing"

// Rule: our client waits for an owner that has stopped, until the room has given it up; when the room has one again,
// it goes on.
func TestAnAbsentOwner(t *testing.T) {
	var a absence
	if a.watch(true, false) != nil || a.watch(false, false) != nil {
		t.Error("there is nothing to wait for, but our client still plays")
	}
	a.lose()
	a.watch(true, false)
	stopped := a.watch(false, false)
	if stopped == nil || !a.over {
		t.Fatal("an owner that the room has given up is waited for")
	}
	if a.resumes(false) || !a.resumes(true) || a.over || a.resumes(true) {
		t.Errorf("a new owner: %+v", a)
	}
	if a.back(false) || !a.lost || !a.back(true) || a.back(true) {
		t.Error("that we have a place again is not news once")
	}
	a.lose()
	a.watch(true, true)
	if left := a.watch(false, false); left == nil || left.Title == stopped.Title {
		t.Error("an owner that has left is one that has stopped")
	}
}
