package spectate

// A spectator depends on the honesty of its host for what it shows. The comparisons that it sends to the next host
// identify the match that it has seen, but they, too, come from hosts. So when a host turns out to be at fault,
// nothing that depends on it is continued: the next host shows the match from the beginning.

// trust records which hosts the received data depends on.
type trust struct {
	marked   uint32 // how many frames the newest comparison covers
	chain    uint64
	givers   uint32 // the hosts that have sent anything since the match began or a state came, one bit each
	pinned   bool   // we cannot go back
	wasReset bool   // the received data was discarded, and takeReset has not reported it yet
}

// noteItem notes that an item has come from a host. A match or a state does not depend on anything before it. With
// a match, the next host also says which match it is.
func (t *trust) noteItem(i *Item) {
	if i.Begin != nil || i.State != nil {
		t.givers = 0
	}
	if i.Begin == nil {
		t.depend(i.host)
	}
}

// depend notes that the data depends on a host.
func (t *trust) depend(host int) { t.givers |= 1 << host }

// compared records the newest comparison.
func (t *trust) compared(frame uint32, chain uint64) { t.marked, t.chain = frame, chain }

// pin records that we cannot go back.
func (t *trust) pin() { t.pinned = true }

// dependsOn reports whether we have to go back if this host was at fault.
func (t *trust) dependsOn(host int) bool { return t.givers>>host&1 != 0 && !t.pinned }

// dependsOnOthers reports whether we could go back, and the data does not only depend on this host.
func (t *trust) dependsOnOthers(host int) bool { return t.givers&^(1<<host) != 0 && !t.pinned }

// reset records that the received data was discarded because a host was at fault.
func (t *trust) reset() { *t = trust{wasReset: true} }

// takeReset reports whether that has happened since the last call.
func (t *trust) takeReset() bool {
	was := t.wasReset
	t.wasReset = false
	return was
}
