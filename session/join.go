package session

import "github.com/tickback/tickback/session/membership"

// admit takes in somebody.
func (m *Machine) admit(e *membership.Entry) {}
