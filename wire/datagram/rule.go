package datagram

import "fmt"

// Rule says whose match it is, and what happens to it when a player leaves.
type Rule byte

const (
	// RuleEnd is a match between peers that ends for all of them.
	RuleEnd Rule = 0
	// RuleContinue is a match between peers that goes on without the player.
	RuleContinue Rule = 1
	// RuleServer is a match that a server owns.
	RuleServer Rule = 0x80
	// RuleSight is a match of a server that sends each client what it may see.
	RuleSight Rule = 0x81
)

// Server reports whether a server owns the match.
func (r Rule) Server() bool { return r&^1 == RuleServer }

// String returns a word for the rule.
func (r Rule) String() string {
	switch r {
	case RuleEnd:
		return "End"
	case RuleContinue:
		return "Continue"
	case RuleServer:
		return "Server"
	case RuleSight:
		return "Sight"
	}
	return fmt.Sprintf("Rule(%d)", byte(r))
}
