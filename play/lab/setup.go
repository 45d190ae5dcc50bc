package lab

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Setup is everything that defines an experiment: the same setup always has the same result.
type Setup struct {
	Settings
	Seed    uint32 // 0 means any
	Players int    // who plays: Bot, Script or ScriptTwice
	Compare bool   // lockstep beside rollback; peer 2 is scripted then
}

// The kinds of players.
const (
	Bot         = iota // a person and a bot
	Script             // a person and a script
	ScriptTwice        // scripts only, so that everything can be repeated
)

func (s *Setup) check() error {
	if s.Players < Bot || s.Players > ScriptTwice {
		return fmt.Errorf("lab: players %d must be %d to %d", s.Players, Bot, ScriptTwice)
	}
	return s.Settings.check()
}

// fields returns the parts of a setup's text, in order.
func (s *Setup) fields() []field {
	return []field{
		{"delay", &s.Delay},
		{"jitter", &s.Jitter},
		{"back", &s.Back},
		{"loss", &s.Loss},
		{"dup", &s.Duplicate},
		{"bursts", &s.Bursts},
		{"input", &s.InputDelay},
		{"lockstep", &s.Lockstep},
		{"seed", &s.Seed},
		{"players", &s.Players},
		{"compare", &s.Compare},
	}
}

type field struct {
	name string
	at   any
}

// String returns the setup as a text for a link, such as "delay.60-jitter.10-seed.7": times are in milliseconds, and
// zeros are left out.
func (s Setup) String() string {
	var parts []string
	for _, f := range s.fields() {
		n := int64(0)
		switch v := f.at.(type) {
		case *time.Duration:
			n = v.Milliseconds()
		case *int:
			n = int64(*v)
		case *uint32:
			n = int64(*v)
		case *bool:
			if *v {
				n = 1
			}
		}
		if n != 0 {
			parts = append(parts, f.name+"."+strconv.FormatInt(n, 10))
		}
	}
	return strings.Join(parts, "-")
}

// maxText is the maximum length of a setup's text.
const maxText = 256

// ParseSetup reads the text of a setup, which is not trusted.
func ParseSetup(text string) (s Setup, err error) {
	if len(text) > maxText {
		return s, fmt.Errorf("lab: a setup has at most %d bytes, not %d", maxText, len(text))
	}
	if text == "" {
		return s, nil
	}
	for part := range strings.SplitSeq(text, "-") {
		name, value, _ := strings.Cut(part, ".")
		n, err := strconv.ParseUint(value, 10, 32)
		if err != nil {
			return Setup{}, fmt.Errorf("lab: %q is no part of a setup, such as delay.60", part)
		}
		if !s.set(name, uint32(n)) {
			return Setup{}, fmt.Errorf("lab: a setup has no %q", name)
		}
	}
	if err := s.check(); err != nil {
		return Setup{}, err
	}
	return s, nil
}

// set sets a field by its name, and reports whether there is one.
func (s *Setup) set(name string, n uint32) bool {
	for _, f := range s.fields() {
		if f.name != name {
			continue
		}
		switch v := f.at.(type) {
		case *time.Duration:
			*v = time.Duration(n) * time.Millisecond
		case *int:
			*v = int(n)
		case *uint32:
			*v = n
		case *bool:
			*v = n != 0
		}
		return true
	}
	return false
}
