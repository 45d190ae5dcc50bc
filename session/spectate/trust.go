package spectate

import "fmt"

// A spectator depends on the honesty of its host for what it shows. The comparisons that it sends to the next host
// identify the match that it has seen, but they, too, come from hosts. So when a host turns out to be at fault,
// nothing that depends on it is continued: the next host shows the match from the beginning.

// trust records which hosts the received data depends on.
type trust struct {
	marked   uint32 // how many frames the newest comparison covers
	chain    uint64
	givers   uint32 // the hosts that have sent anything since the match began or a state came, one bit each
	pinned   bool   // we cannot go back
	wasReset bool   // the received data was discarded, and WasReset has not reported it yet
}

// noteItem notes that an item has come from a host. A match or a state does not depend on anything before it. With
// a match, the next host also says which match it is.
func (t *trust) noteItem(i *Item) {
	if i.Begin != nil || i.State != nil {
		t.givers = 0
	}
	if i.Begin == nil {
		t.givers |= 1 << i.host
	}
}

// Marked records the newest comparison in the frames that were taken. Another host must know that comparison for us
// to continue there.
func (v *Follower) Marked(frame uint32, chain uint64) { v.trust.marked, v.trust.chain = frame, chain }

// CannotRestart says that we cannot go back any more: even if a host turns out to be at fault, the next one
// continues from the same frame.
func (v *Follower) CannotRestart() { v.trust.pinned = true }

// WasReset reports whether the received data has been discarded since the last call, because it depends on a host
// that was at fault. The next host begins with a match, and nothing may be continued until then.
func (v *Follower) WasReset() bool {
	anew := v.trust.wasReset
	v.trust.wasReset = false
	return anew
}

// Forget discards everything: the next host has to start from the beginning.
func (v *Follower) Forget() { resume(v, 0, 0) }

// Reject gives up the host that sent the item popped last because that item cannot be used: the host is at fault,
// and everything that depends on it is discarded.
func (v *Follower) Reject(why error) {
	v.trust.givers |= 1 << v.source
	discardFrom(v, v.source)
	leaveSource(v, why)
}

// SkipHost leaves the host that sent the item popped last because it does not have what we need. Another host has
// to continue this match at this frame.
func (v *Follower) SkipHost(why error, match, next uint32) {
	resume(v, match, next)
	leaveSource(v, why)
}

// AskAgain asks the current host for everything again, and reports whether it does. Call it after a failed
// comparison with the host that sent the item popped last: if the data compared depends on other hosts as well, one
// of them may have been wrong.
func (v *Follower) AskAgain(why error) bool {
	if t := &v.trust; t.pinned || t.givers&^(1<<v.source) == 0 {
		return false
	}
	discardReceived(v)
	restartAtHost(v, fmt.Errorf("it is asked for everything, since other hosts were watched before: %w", why))
	return true
}

// discardFrom discards the received data if it depends on this host, unless we cannot go back, or have taken the
// whole match.
func discardFrom(v *Follower, host int) {
	if t := &v.trust; t.givers>>host&1 != 0 && !t.pinned && !(v.over && v.queue.front() == nil) {
		discardReceived(v)
	}
}

// breaks leaves the current host because it violates the protocol.
func breaks(v *Follower, err error) {
	discardFrom(v, v.search.host)
	v.lose(err, true)
}

// discardReceived discards the received data.
func discardReceived(v *Follower) {
	v.Forget()
	v.trust.wasReset = true
}

// leaveSource leaves the host that sent the item popped last.
func leaveSource(v *Follower, why error) {
	if v.source == v.search.host {
		v.lose(why, true)
		return
	}
	// An earlier host has only now turned out to be at fault, and the current one has to resend what was discarded.
	v.search.reasons[v.source], v.search.final[v.source] = why, true
	restartAtHost(v, fmt.Errorf("it is asked again, since %v has sent something unusable: %w", v.cfg.Hosts[v.source], why))
}

// restartAtHost disconnects from the current host and connects to it again.
func restartAtHost(v *Follower, why error) {
	v.tellLost(why)
	v.depart()
	v.search.begin(v)
}

// resume discards everything that has not been taken. The next host has to continue this match at this frame; match
// 0 means from the start of any match.
func resume(v *Follower, match, next uint32) {
	v.queue = queue{}
	v.match, v.next, v.over, v.partial, v.following = match, next, false, partial{}, false
	if match == 0 {
		v.trust = trust{}
	}
	if v.offer != nil && v.offer.Match != match {
		v.offer = nil
	}
}
