//go:build !js

package rooms

import (
	"testing"
	"time"
	"unicode/utf8"
)

// The defaults are the documented ones, and the budgets are derived from them.
func TestDefaults(t *testing.T) {
	var c Config
	if err := c.complete(); err != nil {
		t.Fatal(err)
	}
	for i, v := range [][2]int{
		{c.MaxRooms, 4096},
		{c.MaxConnections, 8192},
		{c.RoomsPerAddress, 32},
		{c.ConnectsPerMinute, 120},
		{c.PerAddress, 64},
		{c.MessagesPerSecond, 32},
		{c.Burst, 512},
	} {
		if v[0] != v[1] {
			t.Errorf("number %d is %d, want %d", i, v[0], v[1])
		}
	}
	for i, v := range [][2]time.Duration{
		{c.Grace, 2 * time.Minute},
		{c.Vacancy, 20 * time.Second},
		{c.MaxAge, 12 * time.Hour},
		{c.MaxIdle, 3 * time.Hour},
		{c.EntryTimeout, 10 * time.Second},
		{c.WriteTimeout, 10 * time.Second},
		{c.PingEvery, 20 * time.Second},
		{c.TURNLifetime, 30 * time.Minute},
	} {
		if v[0] != v[1] {
			t.Errorf("time %d is %v, want %v", i, v[0], v[1])
		}
	}
	want := budget{
		member: flow{512, 32}, nearMessages: flow{8192, 512}, wideMessages: flow{32768, 2048}, messages: flow{16384, 16384},
		nearConnects: flow{120, 2}, wideConnects: flow{480, 8}, connects: flow{2048, 512},
		wideConnections: 256, wideRooms: 128, connectionShare: 64, roomShare: 32, empty: 64, entering: 2048,
		maxVisitors: 32768 + 8192 + 4096,
	}
	if got := newBudget(&c); got != want {
		t.Errorf("the budgets are %+v, want %+v", got, want)
	}
}

// A seat that no room has is refused before any room is asked.
func TestSeatsThatNoRoomHas(t *testing.T) {
	for seat, good := range map[int]bool{NoSeat - 1: false, NoSeat: true, 0: true, MaxSeats - 1: true, MaxSeats: false} {
		q := request{Kind: kindSit, Seat: &seat}
		if err := q.check(); (err == nil) != good {
			t.Errorf("seat %d: %v", seat, err)
		}
	}
}

// Data waiting for one client does not matter to the server while little waits for all,
// and data waiting for a client that has gone no longer counts.
func TestWhatWaitsForOne(t *testing.T) {
	s, _ := serve(t, Config{})
	s.mu.Lock()
	defer s.mu.Unlock()
	c := newConn(s, addressOf("10.0.0.1:1"), 1)
	for range 4 * fairWaiting >> 10 {
		c.push(make([]byte, 1<<10))
	}
	if n := s.waiting.Load(); c.ending || n != 4*fairWaiting {
		t.Fatalf("%d bytes wait, and it is cut off: %v", n, c.ending)
	}
	c.drain()
	if n := s.waiting.Load(); n != 0 {
		t.Errorf("%d bytes wait for nobody", n)
	}
}

// Text from other machines is valid, and no longer than allowed.
func TestWordsAreClipped(t *testing.T) {
	for text, want := range map[string]string{"short": "short", "a\xffb": "a?b", "12345678": "12345678", "123456789": "12345678", "1234567é": "1234567"} {
		if got := clip(text, 8); got != want || !utf8.ValidString(got) {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
