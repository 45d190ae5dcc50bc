//go:build !js

package lan

import (
	"maps"
	"testing"

	"github.com/tickback/tickback/online/peers"
)

// The addresses of a peer replace its earlier ones, and leave those of others alone, unless they are the same.
func TestRoutes(t *testing.T) {
	one, two, at := peers.AddrOf(1), peers.AddrOf(2), ways("10.0.0.1:1", "10.0.0.2:1", "10.0.0.3:1")
	r := routes{}
	r.set(one, at[:2])
	r.set(two, at[2:])
	r.set(one, at[1:2])
	if want := (routes{at[1]: one, at[2]: two}); !maps.Equal(r, want) {
		t.Errorf("%v, want %v", r, want)
	}
	r.set(two, at[1:])
	if r.set(one, nil); !maps.Equal(r, routes{at[1]: two, at[2]: two}) {
		t.Errorf("without one: %v", r)
	}
}
