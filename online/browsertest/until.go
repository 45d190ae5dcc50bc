//go:build !js

package browsertest

import (
	"encoding/json"
	"time"
)

// Times of waiting for a page: how long at most, and how often it is asked.
const (
	Patience = 90 * time.Second
	askEvery = 100 * time.Millisecond
)

// StatusOf is the expression that [Until] and [Now] ask a page for.
const StatusOf = "window.tickback"

// Asked is a page that [Now] and [Until] ask: a [Page], or one of another browser.
type Asked interface {
	// Status returns the JSON of an expression, "null" if there is no value.
	Status(expression string) (json.RawMessage, error)
	// Complaints returns what the page has complained of.
	Complaints() []string
	// Closed reports whether the page answers no more.
	Closed() bool
	// Fatalf fails the page's test, and says which page it is.
	Fatalf(format string, args ...any)
	// Helper marks its caller as a helper of the page's test.
	Helper()
	// Eval runs an expression in the page, and keeps its value in to.
	Eval(expression string, to any)
	// String returns the name of the page.
	String() string
}

// Now returns what a page says of itself; the zero value as long as it says nothing.
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

// Until asks a page until what it says of itself is as it should be, for at most
// [Patience], and returns that. It may be loaded again meanwhile. The message of a
// failure has what was waited for, and the last that the page has said.
func Until[S any](p Asked, what string, is func(s S) bool) S {
	p.Helper()
	return UntilWithin(p, Patience, what, is)
}

// UntilWithin is [Until] with another bound.
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
