package spectate

import "fmt"

// A spectator has only the word of its host for what it shows. The comparisons that it gives the next host
// say which match it has seen, but they, too, are only what it was told. So when a host turns out to be at
// fault, nothing that rests on its word is gone on with: the next host shows the match anew.

// trust is whose word it is that what has come rests on.
type trust struct {
	marked   uint32 // how many frames the newest comparison covers
	chain    uint64
	givers   uint32 // the hosts of whom anything has come since the match began or a state came, a bit for each
	pinned   bool   // we cannot go back
	wasReset bool   // what has come is given up, and nobody has asked yet
}

// noteItem notes that an item has come from a host. What begins with a state, or a match, rests on nothing before.
// The next host says, too, which match it is.
func (t *trust) noteItem(i *Item) {
	if i.Begin != nil || i.State != nil {
		t.givers = 0
	}
	if i.Begin == nil {
		t.givers |= 1 << i.host
	}
}

// Marked says which comparison came last among the frames that were taken. Another host must
// know that comparison for us to go on there.
func (v *Follower) Marked(frame uint32, chain uint64) { v.trust.marked, v.trust.chain = frame, chain }

// CannotRestart says that we cannot go back any more: whatever a host turns out to be, the next one goes on where
// that one stopped.
func (v *Follower) CannotRestart() { v.trust.pinned = true }

// WasReset reports whether what has come was given up since the last call, because it rests on the word of a
// host that was at fault. The next host begins with a match, and nothing is to be gone on with until then.
func (v *Follower) WasReset() bool {
	anew := v.trust.wasReset
	v.trust.wasReset = false
	return anew
}

// Forget forgets everything: the next host has to start from the beginning.
func (v *Follower) Forget() { resume(v, 0, 0) }

// Reject gives up the host that sent the item popped last, which cannot be used: that host is at fault, and
// all that rests on its word is given up.
func (v *Follower) Reject(why error) {
	v.trust.givers |= 1 << v.source
	discardFrom(v, v.source)
	leaveSource(v, why)
}

// SkipHost leaves the host that sent the item popped last, which does not have what we need. Another one has to go
// on at this frame of this match.
func (v *Follower) SkipHost(why error, match, next uint32) {
	resume(v, match, next)
	leaveSource(v, why)
}

// AskAgain asks the present host for everything anew, and reports whether it does. It is for a comparison with the
// host that sent the item popped last that has failed: if what was compared rests on the word of other hosts,
// too, one of them may have been wrong.
func (v *Follower) AskAgain(why error) bool {
	if t := &v.trust; t.pinned || t.givers&^(1<<v.source) == 0 {
		return false
	}
	discardReceived(v)
	restartAtHost(v, fmt.Errorf("it is asked for everything, since other hosts were watched before: %w", why))
	return true
}

// discardFrom gives up what has come if it rests on the word of this host, unless we cannot go back, or have taken
// all of the match.
func discardFrom(v *Follower, host int) {
	if t := &v.trust; t.givers>>host&1 != 0 && !t.pinned && !(v.over && v.queue.front() == nil) {
		discardReceived(v)
	}
}

// breaks leaves the present host, which breaks the protocol.
func breaks(v *Follower, err error) {
	discardFrom(v, v.search.host)
	v.lose(err, true)
}

// discardReceived gives up what has come.
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
	// An earlier host turns out to be at fault only now, and the present one has to send again what was forgotten.
	v.search.reasons[v.source], v.search.final[v.source] = why, true
	restartAtHost(v, fmt.Errorf("it is asked again, since %v has sent something unusable: %w", v.cfg.Hosts[v.source], why))
}

// restartAtHost leaves the present host, and asks it once more.
func restartAtHost(v *Follower, why error) {
	v.tellLost(why)
	v.depart()
	v.search.begin(v)
}

// resume forgets everything that is not taken yet. The next host has to go on at this frame of this match;
// match 0 means from the start of any match.
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
