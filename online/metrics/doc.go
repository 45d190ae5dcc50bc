// Package metrics exports the statistics of sessions to Prometheus.
//
//	c := metrics.NewCollector(metrics.Config{})
//	prometheus.MustRegister(c)
//	...
//	c.Observe("table 4", match.Stats()) // once a second or so, in the match's goroutine
//	...
//	c.Remove("table 4")
//
// A session may only be used by one goroutine, and a scrape uses another: so the game pushes snapshots, and a scrape
// reads the last ones. It never touches a session, and Observe never waits for a scrape.
//
// # Names
//
// All names begin with "tickback_"; units are seconds, bytes and frames. Each metric has the label session, with the
// name passed to Observe; those that begin with "tickback_link_" are about the connection to one peer, with the label
// peer: the players there, counted from 0, such as "1" or "1+2". Addresses are never shown.
//
// Counters continue over the matches of a session, although the session's own counts start again with each. What
// happens between the last Observe of a match and the beginning of the next is lost: so also observe once after a
// match has ended.
//
// # How many
//
// A session has about 50 series, and 23 more for each peer. There are at most Config.MaxSessions sessions; further
// ones are counted and not shown. A session that is not observed for Config.Expire is removed.
package metrics
