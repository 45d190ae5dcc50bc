//go:build !js

package online

// page is the address of the page that we are in: none.
func page() string { return "" }

// keptTicket and keep are for pages.
func keptTicket() string { return "" }
func keep(*Room)         {}
