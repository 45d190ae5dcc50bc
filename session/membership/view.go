package membership

// view is what the log and the claims of a slot allow, as one member sees it. It only reads.
type view struct {
	*LogState
	claims  []claim // by lowest player
	me      PlayerSet
	low     Player
	kickers PlayerSet
	decide  func(s *LogState, yes PlayerSet) bool
	alone   bool // we are one of two members, and can remove the other by ourselves
}

// quorum reports whether these members can decide.
func (v *view) quorum(yes PlayerSet) bool { return v.decide(v.LogState, yes) }

// able reports whether a side can go on without the others: as a quorum, or as one of
// two members, which can remove the other by itself.
func (v *view) able(side PlayerSet) bool { return v.quorum(side) || v.alone && side&v.me != 0 }

// all reports whether something is true of all members, which are named by their lowest players.
func (v *view) all(is func(p Player) bool) bool {
	for p := range v.each() {
		if !is(p) {
			return false
		}
	}
	return true
}

// side returns the players of the members that can go on together with member m: itself, then in ascending order each
// member that is in no conflict with one of those before: neither of the two accuses the other. So of two members that
// accuse each other the lower one stays. m may accuse others besides those that it has claimed to accuse.
func (v *view) side(m Player, besides PlayerSet) PlayerSet {
	kept, accused := v.Members[m], v.claims[m].accused|besides
	for p, other := range v.each() {
		if p != m && !accused.Has(p) && v.claims[p].accused&kept == 0 {
			kept, accused = kept|other, accused|v.claims[p].accused
		}
	}
	return kept
}

// united reports whether no two members are in conflict.
func (v *view) united() bool { return v.side(v.low, 0) == v.All() }

// coordinator returns the member that drives the decision of the slot: the lowest one whose side can decide and
// includes us. It is this peer if there is none, or if we are one of two members and kick the other.
func (v *view) coordinator() Player {
	if v.Len() == 2 && v.claims[v.low].wishes.kick != 0 {
		return v.low
	}
	return v.firstAble(maxPlayers, 0)
}

// nextCoordinator returns the member that will be the coordinator once it notices what we have noticed. Without
// this, the first member to notice a crash would interfere with it.
func (v *view) nextCoordinator() Player { return v.firstAble(v.low, v.claims[v.low].accused) }

// firstAble returns the lowest member before end whose side, if it also accuses these players, can decide and includes
// us; or us. Neither of us accuses the other.
func (v *view) firstAble(end Player, accused PlayerSet) Player {
	for p := range v.each() {
		if p >= end || v.claims[p].accused.Has(v.low) || v.claims[v.low].accused.Has(p) {
			continue
		}
		if side := v.side(p, accused); side&v.me != 0 && v.quorum(side) {
			return p
		}
	}
	return v.low
}

// falseClaim returns what is impossible in a claim, or "".
func (v *view) falseClaim(from PlayerSet, claim *claim) string {
	old := &v.claims[lowest(from)]
	for _, set := range [...]PlayerSet{claim.accused, claim.stopped, claim.whole, claim.wishes.kick} {
		if set&from != 0 || v.Whole(set) != set {
			return "something that is not about other members"
		}
	}
	switch {
	case claim.intent.kind.cuts() && v.Whole(claim.intent.players) != claim.intent.players:
		return "an intent that is not about members"
	case old.stopped&^claim.stopped != 0 || old.whole&^claim.whole != 0:
		return "to have taken back a stop"
	case old.wishes.leaving && (!claim.wishes.leaving || claim.wishes.leave != old.wishes.leave):
		return "another frame to leave at"
	case claim.wishes.leaving && claim.wishes.leave < v.present(from, 0):
		return "to leave before it has joined"
	}
	for p := range (claim.stopped | claim.whole).All() {
		if claim.held[p] < v.present(1<<p, old.held[p]) {
			return "to hold less than it must"
		}
	}
	return ""
}
