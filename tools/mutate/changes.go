package main

// changes are the deliberate changes that the tests have to notice. If the code that one of them is about changes, find
// the new place of the rule, and update the entry.
var changes = []change{
	{
		name: "answers a challenge that somebody relays",
		file: "session/path.go",
		old:  "if from == l || from == nil && addr == l.ReportedAddr.Addr && l.LostTouch(m.now, m.cfg.DropAfter) {",
		new:  "if true {",
	},
	{
		name: "follows a peer that answers from elsewhere",
		file: "session/peer/path.go",
		old:  "l.Path.Addr != addr || l.Path.Token != token",
		new:  "l.Path.Token != token",
	},
	{
		name: "plays with another game or build",
		file: "session/handshake.go",
		old:  "if e != nil {",
		new:  "if e != nil && l.notBothMembers {",
	},
	{
		name: "ends one frame after the inputs of who is gone",
		file: "session/match/changes.go",
		old:  "m.limit = at\n",
		new:  "m.limit = at + 1\n",
	},
	{
		name: "acknowledges one frame more than has come",
		file: "session/inputs/compose.go",
		old:  "p.Acks[0] = r.Lacking()",
		new:  "p.Acks[0] = r.Lacking() + 1",
	},
	{
		name: "sends half of what is not acknowledged",
		file: "session/inputs/compose.go",
		old:  "from, to := r.acked[i], h.Next()",
		new:  "from, to := r.acked[i]+(h.Next()-r.acked[i])/2, h.Next()",
	},
	{
		name: "takes a proposal's frames beyond the gate of a newcomer",
		file: "session/play.go",
		old:  "if log := m.match.Log(); log != nil && f >= log.Gate() {",
		new:  "if log := m.match.Log(); log != nil && f > log.Gate()+8 {",
	},
	{
		name: "does not compare chains",
		file: "session/stream/chain.go",
		old:  "v = Verdict{theirs.frame, ours.value == theirs.value, ours.value, theirs.value}",
		new:  "v = Verdict{theirs.frame, true, ours.value, theirs.value}",
	},
	{
		name: "gives orders to the wrong player",
		file: "session/inputs/accept.go",
		old:  "o.Player == player && o.Frame == f {",
		new:  "o.Frame == f {",
	},
	{
		name: "a window of received datagrams that is wider than what is remembered",
		file: "session/peer/window.go",
		old:  "w.next-sequence > windowSize",
		new:  "w.next-sequence > windowSize+64",
	},
	{
		name: "lets newcomers in without the token",
		file: "session/admission/invitation.go",
		old:  "case i.Good() && h.Proves(i.token, ours):",
		new:  "case i.Good() && (h.Proves(i.token, ours) || h.ID != 0):",
	},
	{
		name: "half of the members decide, without the lowest",
		file: "session/membership/state.go",
		old:  "return 2*in > n || 2*in == n && n > 2 && first",
		new:  "return 2*in > n || 2*in == n && n > 2 && (first || !first)",
	},
	{
		name: "takes a stop back before the slot is decided",
		file: "session/membership/guard.go",
		old:  "g.stopped |= players",
		new:  "g.stopped = players",
	},
	{
		name: "proposes its own entry over one that was accepted",
		file: "session/membership/decide.go",
		old:  "if a.best.ballot != 0 {",
		new:  "if a.best.ballot != 0 && !ready {",
	},
	{
		name: "votes in an attempt after promising a newer one",
		file: "session/membership/decide.go",
		old:  "if b < c.synod.promised {",
		new:  "if b < c.synod.accepted.ballot {",
	},
	{
		name: "drops somebody at what one member holds",
		file: "session/membership/value.go",
		old:  "equal = equal && claim.held[q] == e.Cuts[q]",
		new:  "equal = equal && (claim.held[q] == e.Cuts[q] || in.kind == Drop)",
	},
	{
		name: "accepts a cut other than what it holds",
		file: "session/membership/guard.go",
		old:  "if held := g.held(s, p); held != e.Cut(p) {",
		new:  "if held := g.held(s, p); held < e.Cut(p) {",
	},
	{
		name: "acknowledges a fragment before the hole",
		file: "session/reliable/receiver.go",
		old:  "a.arrived = r.arrived\n",
		new:  "a.arrived = r.arrived + 1\n",
	},
	{
		name: "never waits longer for an answer that does not come",
		file: "session/reliable/sender.go",
		old:  "for range f.doublings {",
		new:  "for range f.doublings / 64 {",
	},
	{
		name: "does not go back for an input that differs late",
		file: "rollback/inputs.go",
		old:  "o.first, o.last = min(o.first, f), max(o.last, f)",
		new:  "o.last = max(o.last, f)",
	},
	{
		name: "takes a repeated datagram of a match that is over",
		file: "session/peer/conn.go",
		old:  "if c.Window.Take(sequence) {",
		new:  "if c.Window.Take(sequence) || c.Counts.Received >= 64 {",
	},
}
