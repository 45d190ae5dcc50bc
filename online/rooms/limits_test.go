//go:build !js

package rooms

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// Each setting has its limits: values on them are accepted, and values beyond are refused
// with an error that names them.
func TestSettingsHaveBounds(t *testing.T) {
	for _, c := range []struct {
		name string
		of   func(c *Config) *int
		most int
	}{
		{"MaxRooms", func(c *Config) *int { return &c.MaxRooms }, 1048576},
		{"MaxConnections", func(c *Config) *int { return &c.MaxConnections }, 1048576},
		{"RoomsPerAddress", func(c *Config) *int { return &c.RoomsPerAddress }, 1048576},
		{"ConnectsPerMinute", func(c *Config) *int { return &c.ConnectsPerMinute }, 1048576},
		{"PerAddress", func(c *Config) *int { return &c.PerAddress }, 1048576},
		{"MessagesPerSecond", func(c *Config) *int { return &c.MessagesPerSecond }, 65536},
		{"Burst", func(c *Config) *int { return &c.Burst }, 65536},
	} {
		for v, good := range map[int]bool{-1: false, 1: true, c.most: true, c.most + 1: false} {
			var cfg Config
			*c.of(&cfg) = v
			if err := cfg.complete(); (err == nil) != good || err != nil && !strings.Contains(err.Error(), c.name+" is ") {
				t.Errorf("%s of %d: %v", c.name, v, err)
			} else if err == nil && *c.of(&cfg) != v {
				t.Errorf("%s of %d becomes %d", c.name, v, *c.of(&cfg))
			}
		}
	}
	const day = 24 * time.Hour
	for _, c := range []struct {
		name        string
		of          func(c *Config) *time.Duration
		least, most time.Duration
	}{
		{"Grace", func(c *Config) *time.Duration { return &c.Grace }, time.Millisecond, day},
		{"Vacancy", func(c *Config) *time.Duration { return &c.Vacancy }, time.Millisecond, day},
		{"MaxAge", func(c *Config) *time.Duration { return &c.MaxAge }, time.Millisecond, 30 * day},
		{"MaxIdle", func(c *Config) *time.Duration { return &c.MaxIdle }, time.Millisecond, 30 * day},
		{"EntryTimeout", func(c *Config) *time.Duration { return &c.EntryTimeout }, time.Millisecond, time.Hour},
		{"WriteTimeout", func(c *Config) *time.Duration { return &c.WriteTimeout }, time.Millisecond, time.Hour},
		{"PingEvery", func(c *Config) *time.Duration { return &c.PingEvery }, time.Millisecond, time.Hour},
		{"TURNLifetime", func(c *Config) *time.Duration { return &c.TURNLifetime }, time.Minute, 30 * day},
	} {
		for v, good := range map[time.Duration]bool{-1: false, c.least - 1: false, c.least: true, c.most: true, c.most + 1: false} {
			cfg := Config{Grace: day} // a seat is vacant no later than its place is given up
			*c.of(&cfg) = v
			if err := cfg.complete(); (err == nil) != good || err != nil && !strings.Contains(err.Error(), c.name+" is ") {
				t.Errorf("%s of %v: %v", c.name, v, err)
			} else if err == nil && *c.of(&cfg) != v {
				t.Errorf("%s of %v becomes %v", c.name, v, *c.of(&cfg))
			}
		}
	}
}

// The settings of a configuration are kept, and missing ones get their defaults.
func TestWhatAConfigurationBrings(t *testing.T) {
	now, log := time.Unix(77, 0), slog.New(&records{})
	c := Config{
		Log: log, Now: func() time.Time { return now }, Address: func(*http.Request) string { return "somewhere" },
		Origins: []string{"play.example.org", "*.example.org", "x:8080"}, Hosts: []string{strings.Repeat("x", 253)},
		ICE: []ICEServer{{URLs: []string{"stun:a", "turn:b"}}},
	}
	if err := c.complete(); err != nil || c.Log != log || !c.Now().Equal(now) || c.Address(nil) != "somewhere" {
		t.Errorf("%v: %+v", err, c)
	}
	c = Config{}
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	if err := c.complete(); err != nil || time.Since(c.Now()).Abs() > time.Hour || c.Address(r) != r.RemoteAddr {
		t.Errorf("%v", err)
	}
	c.Log.Error("to nobody")
	for what, bad := range map[string]Config{
		"a long host":       {Hosts: []string{strings.Repeat("x", 254)}},
		"a bad server":      {ICE: []ICEServer{{}, {URLs: []string{"stun:a", "http://b"}}}},
		"no origin":         {Origins: []string{""}},
		"two origins":       {Origins: []string{"a b"}},
		"an origin's path":  {Origins: []string{"a/"}},
		"a broken pattern":  {Origins: []string{"a", "["}},
		"a server too much": {ICE: make([]ICEServer, 17)},
	} {
		if err := bad.complete(); err == nil {
			t.Errorf("%s is taken", what)
		}
	}
}

// A small server has places, too: at least one of each, and 64 new connections a second
// with four times as many at once.
func TestTheBudgetsOfASmallServer(t *testing.T) {
	c := Config{MaxRooms: 1, MaxConnections: 1}
	if err := c.complete(); err != nil {
		t.Fatal(err)
	}
	b := newBudget(&c)
	if b.connectionShare != 1 || b.roomShare != 1 || b.empty != 2 || b.entering != 1 || b.connects != (flow{256, 64}) || b.maxVisitors != 32770 {
		t.Errorf("%+v", b)
	}
}

// A part of all places is a 128th of them.
func TestAPartOfAllPlaces(t *testing.T) {
	c := Config{MaxRooms: 128_000, MaxConnections: 256_000}
	if err := c.complete(); err != nil {
		t.Fatal(err)
	}
	if b := newBudget(&c); b.roomShare != 1000 || b.connectionShare != 2000 || b.empty != 2000 {
		t.Errorf("%+v", b)
	}
}

// At most 512 messages and 512 KiB wait for one client, and 64 MiB for all: nobody loses an
// equal share of that, 8 KiB for each of 8192 connections.
func TestWhatMayWait(t *testing.T) {
	s, err := NewServer(Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(t.Context())
	s.mu.Lock()
	defer s.mu.Unlock()
	for what, c := range map[string]struct {
		messages, bytes int
		others          int64 // bytes that wait for others
		cut             bool
	}{
		"512 messages":                          {512, 1, 0, false},
		"513 messages":                          {513, 1, 0, true},
		"512 KiB":                               {16, 32 << 10, 0, false},
		"more than 512 KiB":                     {17, 31 << 10, 0, true},
		"its part beside all there may be":      {8, 1 << 10, 64 << 20, false},
		"one more":                              {9, 1 << 10, 64 << 20, false},
		"more than its part":                    {10, 1 << 10, 64 << 20, true},
		"more than its part, while others have": {10, 1 << 10, 64<<20 - 10<<10, false},
		"more than its part, by one byte":       {10, 1 << 10, 64<<20 - 10<<10 + 1, true},
	} {
		s.waiting.Store(c.others)
		before, limited := s.hub.stats.Refused["slow"], s.hub.stats.Limited[limitUnread]
		cut := false
		o := newConn(s, addressOf("10.0.0.1"), 1)
		o.cut = func() { cut = true }
		for range c.messages {
			o.push(make([]byte, c.bytes))
		}
		if cut != c.cut || (s.hub.stats.Refused["slow"] > before) != c.cut || (s.hub.stats.Limited[limitUnread] > limited) != c.cut {
			t.Errorf("%s: cut off is %v", what, cut)
		}
		if o.drain(); s.waiting.Load() != c.others {
			t.Errorf("%s: afterwards %d bytes wait", what, s.waiting.Load()-c.others)
		}
	}
}

// The last message counts like those that wait, comes after them, and there is only one:
// later messages are dropped.
func TestTheLastWordComesLast(t *testing.T) {
	s, err := NewServer(Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(t.Context())
	s.mu.Lock()
	defer s.mu.Unlock()
	c := newConn(s, addressOf("10.0.0.1"), 1)
	c.push([]byte("first"))
	c.end([]byte("last"))
	c.end([]byte("once more"))
	c.push([]byte("late"))
	if n := s.waiting.Load(); n != 9 {
		t.Errorf("%d bytes wait", n)
	}
	for _, want := range []string{"first", "last"} {
		if b, over := c.next(); string(b) != want || over {
			t.Errorf("next is %q, %v", b, over)
		}
	}
	if b, over := c.next(); b != nil || !over || s.waiting.Load() != 0 || c.bytes != 0 {
		t.Errorf("then %q, %v, and %d bytes wait", b, over, s.waiting.Load())
	}
}
