package admission

// TokenError is the answer of a machine that lets in only those who know the token of its match, to one
// that does not. It cannot be forged by who does not see the datagrams of the attempt: it comes under the
// key that both have made for it.
type TokenError struct {
	// Reason is what the machine says.
	Reason string
	// Revoked says that the token was good until somebody was sent away.
	Revoked bool
	// Missing says that no token was given here at all.
	Missing bool
}

// Error gives the reason, and what to do.
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

// What a machine without a good token is told.
const (
	WhyUninvited = "the token is not that of the match"
	WhyRevoked   = "the token was revoked, since somebody was sent away"
)

// Refuses returns why a machine may not come in by what it has proved, or "".
func (v Verdict) Refuses() string {
	switch v {
	case Revoked:
		return WhyRevoked
	case Unknown:
		return WhyUninvited
	}
	return ""
}
