package session

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

// If anything that must be the same on all machines is not, the session ends on both
// before anything is played, with an error that names the item and both values.
func TestTheFirstDifferenceIsNamed(t *testing.T) {
	for _, d := range []struct {
		item         string
		ours, theirs string
		change       func(c *Config)
	}{
		{"game", `"sum"`, `"product"`, func(c *Config) { c.GameID = "product" }},
		{"build", `"1"`, `"2"`, func(c *Config) { c.Build = "2" }},
		{"platform", "none, since there are no floats", `"amd64"`, func(c *Config) { c.Platform = "amd64" }},
		{"number of players", "2", "3", func(c *Config) {
			c.Players, c.OnLeave, c.Reserved, c.Token = 3, Continue, 0b100, []byte("sixteen bytes or")
		}},
		{"tick rate", "60", "50", func(c *Config) { c.TickRate = 50 }},
		{"limit of orders in bytes", "300", "301", func(c *Config) { c.MaxOrders = 301 }},
		{"interval of comparisons", "60", "120", func(c *Config) { c.ChainEvery = 120 }},
		{"interval of hashes", "1", "2", func(c *Config) { c.HashEvery = 2 }},
		{"interval of hashes", "1", "none", func(c *Config) { c.HashEvery = -1 }},
		{"rule for who leaves", "End", "Continue", func(c *Config) { c.OnLeave = Continue }},
	} {
		peer := 0
		tr := newTrio(t, 2, func(c *Config) {
			if c.Build = "1"; peer == 1 {
				d.change(c)
			}
			peer++
		})
		tr.run(2 * time.Second)
		for i, p := range tr.peers {
			ours, theirs := d.ours, d.theirs
			if i == 1 {
				ours, theirs = theirs, ours
			}
			want := MismatchError{Players: 1 << (1 - i), Item: d.item, Ours: ours, Theirs: theirs}
			var e *MismatchError
			if err := p.Err(); !errors.As(err, &e) || fmt.Sprint(*e) != fmt.Sprint(want) {
				t.Errorf("%s, peer %d: %v, %v", d.item, i, p.Phase(), err)
			}
			if tr.count(i, Open)+tr.count(i, Started) > 0 {
				t.Errorf("%s, peer %d: %v", d.item, i, tr.seen[i])
			}
		}
	}
}
