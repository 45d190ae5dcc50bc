package play

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
)

// If one of the servers beside the page fails, the page ends too, and the error is returned; otherwise they end with
// the page.
func TestWhatIsBesideThePage(t *testing.T) {
	broken := errors.New("the port is gone")
	until := func(ctx context.Context) error { <-ctx.Done(); return nil }
	page, ended := asides{until, func(context.Context) error { return broken }}.start(t.Context())
	select {
	case <-page.Done():
	case <-time.After(30 * time.Second):
		t.Fatal("the page goes on")
	}
	if err := ended(); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	page, ended = asides{until}.start(t.Context())
	if page.Err() != nil {
		t.Error("the page ends at once")
	}
	if err := ended(); err != nil {
		t.Errorf("%v", err)
	}
}

// The server answers requests for the names that it was given, and for those of the addresses at which it listens: for
// the page, and for the other servers.
func TestTheNamesOfTheServer(t *testing.T) {
	o := &flags{hosts: []string{"play.example.org"}, listen: "page.lan:8080", metrics: "figures.lan:9100", redirect: "[::]:80"}
	if got, want := o.names(), []string{"play.example.org", "page.lan", "figures.lan"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
