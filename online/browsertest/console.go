//go:build !js

package browsertest

import (
	"slices"
	"strings"
	"sync"
)

// maxComplaints bounds what is remembered of a page that does nothing but complain.
const maxComplaints = 50

// Console is what a page has said: the part of a page that all browsers have in common. The zero value has heard nothing. It is
// safe for concurrent use.
type Console struct {
	mu       sync.Mutex
	said     []string // complaints: errors, failed assertions, exceptions, failed requests
	expected []string // what is none, though
}

// Complain takes a complaint of the page; 50 are remembered.
func (c *Console) Complain(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.said) < maxComplaints {
		c.said = append(c.said, text)
	}
}

// Forgive makes no complaint of what has one of these texts in it, from the beginning.
func (c *Console) Forgive(texts ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.expected = append(c.expected, texts...)
}

// Complaints returns what the page has complained of, but for what is forgiven. If there
// are any at its end, the test fails.
func (c *Console) Complaints() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(c.said), func(said string) bool {
		return slices.ContainsFunc(c.expected, func(e string) bool { return strings.Contains(said, e) })
	})
}
