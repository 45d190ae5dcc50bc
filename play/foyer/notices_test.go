package foyer

import (
	"testing"

	"github.com/tickback/tickback/online/rooms"
)

// Names come from others, too.
func TestEverybodyIsCalledSomething(t *testing.T) {
	for _, c := range []struct {
		m    rooms.Member
		want string
	}{
		{rooms.Member{Name: "Ada", Seat: 0}, "Ada"},
		{rooms.Member{Name: " \x00\n ", Seat: 1}, "Player 2"},
		{rooms.Member{ID: 7, Seat: rooms.NoSeat}, "Guest 7"},
		{rooms.Member{Name: "a name that goes on and on", Seat: 1}, "a name that"},
	} {
		if got := Called(c.m); got != c.want {
			t.Errorf("%+v is called %q, want %q", c.m, got, c.want)
		}
	}
}

// Notices disappear after their time, and the newest ones are shown.
func TestNoticesGo(t *testing.T) {
	var n Notices
	for _, text := range []string{"a", "b", "c", "d", "e", "e"} {
		n.Add(text, 2)
	}
	if len(n.list) != maxNotices || n.list[0].text != "b" {
		t.Errorf("%+v", n.list)
	}
	n.Advance(1.5)
	n.Add("e", 2) // it goes on
	n.Advance(1)
	if len(n.list) != 1 || n.list[0].text != "e" {
		t.Errorf("%+v", n.list)
	}
}
