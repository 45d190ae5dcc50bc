package server

import (
	"fmt"
	"strings"

	"github.com/tickback/tickback"
)

// oddity counts one kind of abnormal event at a server, such as messages that it refused or ignored.
type oddity struct {
	key   string // its name in the output of --json
	words string // printed after the number; "" if people need not see it
	n     uint64
}

// ofClient returns the counts for one client.
func ofClient(f *tickback.Faults) []oddity {
	return []oddity{
		{"flooded", "beyond what a client may send", f.Flooded},
		{"illegal", "inputs against the rules", f.Illegal},
		{"unsent", "acknowledgements of states that it was not told", f.Unsent},
		{"orders", "orders for ticks that are far away, or too many", f.Orders},
		{"forged", "forged or damaged", f.Forged},
		{"repeated", "repeated", f.Repeated},
		{"elsewhere", "from another address", f.Elsewhere},
		{"early", "inputs for ticks that are far away", f.Early},
	}
}

// ofAll returns the counts for a server.
func ofAll(c *tickback.ServerCounts) []oddity {
	return append(ofClient(&c.Faults),
		oddity{"broken", "clients that broke the protocol", c.Broken},
		oddity{"strangers", "from strangers", c.Strangers},
		oddity{"refused", "requests for a place refused", c.Refused},
		oddity{"uninvited", "of these without the token", c.Uninvited},
		oddity{"crowded", "of these from an address that has its places", c.Crowded},
		oddity{"spent", "", c.Spent}, // a slow response can cause these, too
		oddity{"doubled", "clients with the ID of another one", c.Doubled},
		oddity{"skipped", "ticks that the server was too late for", c.Skipped},
	)
}

// since returns the counts that have grown since then, each with its increase, except those that are not shown to
// people. There may be none.
func since(now, then []oddity) (more []oddity) {
	for i, o := range now {
		if then != nil && o.n >= then[i].n {
			o.n -= then[i].n
		}
		if o.n > 0 && o.words != "" {
			more = append(more, o)
		}
	}
	return more
}

// list formats the counts for people.
func list(all []oddity) string {
	parts := make([]string, len(all))
	for i, o := range all {
		parts[i] = fmt.Sprintf("%d %s", o.n, o.words)
	}
	return strings.Join(parts, ", ")
}

// keyed returns the counts for programs.
func keyed(all []oddity) map[string]uint64 {
	m := make(map[string]uint64, len(all))
	for _, o := range all {
		m[o.key] = o.n
	}
	return m
}
