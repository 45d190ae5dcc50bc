package tickback

// Kick sends players away, with the reason: those of whole machines. Only the host can,
// while a match is played with [Continue]. They are told. The match's token,
// which they know, is revoked at all machines (the event [Revoked]): nobody joins with it any
// more; see [Match.Invite]. The error is [session.ErrNotHost],
// [session.ErrPhase] or a [*WishError].
func (m *Match[S, I]) Kick(players PlayerSet, reason string) error {
	return m.session.Kick(players, reason)
}

// Invite sets the token with which newcomers join at this machine from now on. It replaces
// the one before, also one that a kick has revoked. Give the same token to all machines that
// let newcomers in, and to the newcomers. The error is that of a token that is too short or
// too long, or [session.ErrPhase] if there was none in the options.
func (m *Match[S, I]) Invite(token Token) error { return m.session.Invite(token) }

// Pause asks for the match to stand still, at all machines from the same frame on; the
// event [Paused] says which. It goes on when anybody calls Unpause, or after
// Timeouts.Pause. With peers, each machine may ask eight times in a match. The error is
// [session.ErrPhase] or a [*WishError].
func (m *Match[S, I]) Pause() error { return m.session.Pause() }

// Unpause asks for a match that is paused to go on. Anybody may.
func (m *Match[S, I]) Unpause() error { return m.session.Unpause() }

// Paused returns from which frame on the match stands still, and whether it does.
func (m *Match[S, I]) Paused() (at Frame, paused bool) { return m.session.Paused() }

// Log returns what has changed in the match, and from which frame on: who has left, was
// dropped or kicked, who has come, pauses, and the end if somebody's leaving was it. All
// machines have the same entries in the same order; one that joins has them from shortly
// before its own on. They are the newest 256, the session's, valid until the next call of
// Update: do not change them.
func (m *Match[S, I]) Log() []Entry { return m.session.Log() }
