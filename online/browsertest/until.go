//go:build !js

package browsertest

import (
	"encoding/json"
	"time"
)

// How long to wait for a page at most, and how often to query it.
const (
	Patience = 90 * time.Second
	askEvery = 100 * time.Millisecond
)

// StatusOf is the expression that [Until] and [Now] evaluate in a page.
const StatusOf = "window.tickback"

// Asked is a page that [Now] and [Until] can query: a [Page], or a page of another browser.
type Asked interface {
	// Status returns the JSON of an expression, or "null" if it has no value.
	Status(expression string) (json.RawMessage, error)
	// Complaints returns the page's complaints.
	Complaints() []string
	// Closed reports whether the page no longer answers.
	Closed() bool
	// Fatalf fails the page's test, with the name of the page.
	Fatalf(format string, args ...any)
	// Helper marks its caller as a helper of the page's test.
	Helper()
	// Eval runs an expression in the page, and stores its value in to.
	Eval(expression string, to any)
	// String returns the name of the page.
	String() string
}

// Now returns the status of a page, or the zero value if it has none yet.
func Now[S any](p Asked) S {
	p.Helper()
	s, text, err := ask[S](p)
	if err != nil {
		p.Fatalf("%v; it says %s", err, text)
	}
	return s
}

func ask[S any](p Asked) (s S, text json.RawMessage, err error) {
	if text, err = p.Status(StatusOf); err == nil {
		err = json.Unmarshal(text, &s)
	}
	return s, text, err
}

// Until queries the status of a page until is returns true for it, for at most [Patience], and returns that status.
// The page may be reloaded meanwhile. The message of a failure has the text what and the last status.
func Until[S any](p Asked, what string, is func(s S) bool) S {
	p.Helper()
	return UntilWithin(p, Patience, what, is)
}

// UntilWithin is like [Until], with another time limit.
func UntilWithin[S any](p Asked, patience time.Duration, what string, is func(s S) bool) S {
	p.Helper()
	ticker := time.NewTicker(askEvery)
	defer ticker.Stop()
	deadline := time.Now().Add(patience)
	var last json.RawMessage
	for {
		s, text, err := ask[S](p)
		if err == nil && string(text) != "null" && is(s) {
			return s
		}
		if len(text) > 0 {
			last = text
		}
		if time.Now().After(deadline) || p.Closed() {
			p.Fatalf("waited in vain until %s: %v; it says %s and complains of %q", what, err, last, p.Complaints())
		}
		<-ticker.C
	}
}
