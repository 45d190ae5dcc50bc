package membership

// claims are the claims of a slot: what each member says, and how far the others have been told ours.
type claims struct {
	by      []claim             // by lowest player: those of the members in heard, and our own
	heard   PlayerSet           // the other members that have sent a claim
	said    claim               // ours as last sent
	told    bool                // whether it was sent
	wanting bool                // whether it is not empty
	stirred bool                // whether any member has sent more than an empty claim
	filled  [][maxPlayers]Frame // to member, of player: inputs sent up to here
	early   []early             // for later slots, by lowest player; nil until there is one
}

// early is a member's claim for a slot that this peer has not reached yet.
type early struct {
	from  PlayerSet
	slot  uint32
	claim claim
}

// newClaims returns the claims of a match with the given number of players.
func newClaims(players int) claims {
	return claims{by: make([]claim, players), filled: make([][maxPlayers]Frame, players)}
}

// begin begins a slot. Early claims remain.
func (c *claims) begin() {
	clear(c.by)
	clear(c.filled)
	*c = claims{by: c.by, filled: c.filled, early: c.early}
}

// take records the claim of another member, and reports whether it is the first one in the slot.
func (c *claims) take(from PlayerSet, said *claim) (first bool) {
	first = c.heard&from == 0
	c.by[lowest(from)], c.heard = *said, c.heard|from
	return first
}

// stir notes that a member has sent something. Only an empty claim asks for nothing.
func (c *claims) stir(m *message) {
	c.stirred = c.stirred || m.what != tellClaim || m.claim != claim{}
}

// note records what we claim, without saying it yet.
func (c *claims) note(low Player, ours *claim) { c.by[low] = *ours }

// say records what we claim, and reports whether it is to be sent: if it has changed, and at first, unless we are lazy
// and nobody wants anything.
func (c *claims) say(low Player, ours *claim, lazy bool) bool {
	c.note(low, ours)
	if c.told && *ours == c.said || !c.told && lazy && !c.stirred && *ours == (claim{}) {
		return false
	}
	c.told, c.said, c.wanting = true, *ours, *ours != claim{}
	return true
}

// calm reports whether nobody has claimed to want anything, and we have said that.
func (c *claims) calm(lazy bool) bool { return (c.told || lazy) && !c.stirred && !c.wanting }

// fill returns the first input of player p before end that a member lacks, and notes that the inputs are sent to it.
func (c *claims) fill(to, p Player, end Frame) (from Frame, lacks bool) {
	from = max(c.by[to].held[p], c.filled[to][p])
	if lacks = from < end; lacks {
		c.filled[to][p] = end
	}
	return from, lacks
}

// postpone keeps a claim for a later slot. It replaces the one before.
func (c *claims) postpone(from PlayerSet, slot uint32, said *claim) {
	if c.early == nil {
		c.early = make([]early, len(c.by))
	}
	c.early[lowest(from)] = early{from, slot, *said}
}
