package fleet

// Stranger is what a machine that does not know the token of a match gives instead. The zero value is a machine that
// knows it.
type Stranger string

// The kinds of strangers.
const (
	Tokenless Stranger = "nothing"
	Guessing  Stranger = "another token"
)

// Token returns the token that a machine gives instead of the known one.
func (s Stranger) Token(known []byte) []byte {
	switch s {
	case Tokenless:
		return nil
	case Guessing:
		return guessed
	}
	return known
}

// known reports whether s is one of the constants above.
func (s Stranger) known() bool { return s == "" || s == Tokenless || s == Guessing }

// CheckStranger returns an error for an unknown kind of stranger, or for one where no token is required.
func CheckStranger(s Stranger, guarded bool) error {
	switch {
	case !s.known():
		return planError("a Stranger that gives %.40q, must give %q or %q", s, Tokenless, Guessing)
	case s != "" && !guarded:
		return planError("there is a Stranger, and the match is not Guarded")
	}
	return nil
}

// watchToken is the token that spectators of a guarded plan know, and guessed a wrong one.
var (
	watchToken = []byte("what spectators of a fleet's plan know")
	guessed    = []byte("what somebody has made up")
)

// strangersLuck is the random stream of tokens, and of strangers.
const strangersLuck = 1 << 39

// strangers makes spectators need a token in a third of the plans that allow any, and adds some that do not know
// it. Nothing else in the plan changes.
func (d *drawer) strangers() {
	p, r := d.plan, d.r
	if p.Hosting.Max == 0 || !oneIn(r, 3) {
		return
	}
	p.Hosting.Guarded = true
	s := newImpairments(r, p.TickRate)
	for range min(1+r.IntN(2), MaxSpectators-len(p.Spectators)) {
		d.spectator(&s)
		p.Spectators[len(p.Spectators)-1].Stranger = pick(r, Tokenless, Guessing)
	}
}
