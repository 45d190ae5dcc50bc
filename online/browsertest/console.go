//go:build !js

package browsertest

import (
	"slices"
	"strings"
	"sync"
)

// maxComplaints is the maximum number of complaints of a page that are kept.
const maxComplaints = 50

// Console collects the complaints of a page, whatever the browser. The zero value is empty. It is safe for concurrent
// use.
type Console struct {
	mu       sync.Mutex
	said     []string // the complaints: errors, failed assertions, exceptions, failed requests
	expected []string // texts of complaints to ignore
}

// Complain adds a complaint of the page; 50 are kept.
func (c *Console) Complain(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.said) < maxComplaints {
		c.said = append(c.said, text)
	}
}

// Forgive makes the console ignore complaints that contain one of these texts, including earlier ones.
func (c *Console) Forgive(texts ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.expected = append(c.expected, texts...)
}

// Complaints returns the page's complaints, except those to ignore. If there are any when the test ends, the test
// fails.
func (c *Console) Complaints() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(c.said), func(said string) bool {
		return slices.ContainsFunc(c.expected, func(e string) bool { return strings.Contains(said, e) })
	})
}
