package tickback

// Propose proposes a match to all peers. Only the host can propose one, in the lobby. The others accept or refuse it.
// A rematch is another proposal.
func (m *Match[S, I]) Propose(p Parameters) error { return m.session.Propose(p) }

// Proposal returns the match that is proposed or played, and its number: 0 if
// there is none.
func (m *Match[S, I]) Proposal() (Parameters, uint32) { return m.session.Proposal() }

// Accept says that this machine will play the match that the host proposes; it needs Options.Lobby. It makes state 0
// with Options.Start.
func (m *Match[S, I]) Accept() error { return m.session.Accept() }

// Refuse says that this machine will not play the proposed match, and why.
func (m *Match[S, I]) Refuse(reason string) error { return m.session.Refuse(reason) }

// Ready says that this machine can start the match that it has accepted.
func (m *Match[S, I]) Ready() error { return m.session.Ready() }

// Send sends an application message of 1 byte to 64 KiB to the machines of other players, in
// the lobby or during a match. Messages arrive complete and in order, as [Message] events.
func (m *Match[S, I]) Send(to PlayerSet, data []byte) error { return m.session.Send(to, data) }
