package tickback

// Kick removes players from the match, with a reason that is sent to them. They must include all players of their
// machines. Only the host can do this, while a match is played with [Continue]. Kicked players know the match's token,
// so all machines revoke it (the event [Revoked]), and it can no longer be used to join; see [Match.SetToken]. The
// error is [session.ErrNotHost], [session.ErrPhase] or a [*WishError].
func (m *Match[S, I]) Kick(players PlayerSet, reason string) error {
	return m.session.Kick(players, reason)
}

// SetToken sets the token with which newcomers join at this machine from now on. It replaces the previous one, even if
// that was revoked. Give the same token to all machines that let newcomers in, and to the newcomers. The error says
// that the token is too short or too long, or is [session.ErrPhase] if the options had none.
func (m *Match[S, I]) SetToken(token Token) error { return m.session.SetToken(token) }

// Pause requests a pause of the match. All machines pause at the same frame, which the event [Paused] names. The match
// continues when any machine calls Unpause, or after Timeouts.Pause. With peers, each machine may request eight pauses
// in a match. The error is [session.ErrPhase] or a [*WishError].
func (m *Match[S, I]) Pause() error { return m.session.Pause() }

// Unpause requests the end of a pause. Any machine may do this.
func (m *Match[S, I]) Unpause() error { return m.session.Unpause() }

// Paused returns the frame at which the match is paused, and whether it is.
func (m *Match[S, I]) Paused() (at Frame, paused bool) { return m.session.Paused() }

// Log returns the membership log: who left, was dropped or kicked, who joined, pauses, and the
// end if a leave ended the match, each with its frame. All machines have the same entries in
// the same order; a newcomer has those from shortly before its own join. They are the newest
// 256.
func (m *Match[S, I]) Log() []Entry { return m.session.Log() }
