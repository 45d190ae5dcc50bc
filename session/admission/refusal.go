package admission

// TokenError is the answer to a machine that does not know the token of the match, from one that admits only
// machines that do. It can be forged only by somebody who sees the datagrams of the attempt: it is authenticated by
// the key that both ends derived for the attempt.
type TokenError struct {
	// Reason is the reason that the other machine gives.
	Reason string
	// Revoked says that the token was valid until somebody was kicked.
	Revoked bool
	// Missing says that no token was given on this machine.
	Missing bool
}

// Error gives the reason and says what to do.
func (e *TokenError) Error() string {
	what := "give the token that its players have"
	switch {
	case e.Revoked:
		what = "ask its players for the new one"
	case e.Missing:
		what = "none was given here; ask its players for it"
	}
	return e.Reason + ": " + what
}

// Reasons sent to a machine without a valid token.
const (
	WhyUninvited = "the token is not that of the match"
	WhyRevoked   = "the token was revoked, since somebody was sent away"
)

// Refuses returns why a machine is not admitted because of what it has proved, or "".
func (v Verdict) Refuses() string {
	switch v {
	case Revoked:
		return WhyRevoked
	case Unknown:
		return WhyUninvited
	}
	return ""
}
