//go:build !js

package online

// page returns "", because there is no page.
func page() string { return "" }

// keptTicket and keep do nothing: they are only needed in browsers.
func keptTicket() string { return "" }
func keep(*Room)         {}
