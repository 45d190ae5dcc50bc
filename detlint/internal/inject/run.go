package inject

import _ "embed"

// SwitchDir is the directory of the package that switches faults on.
const SwitchDir = "games/faults"

// Switch is the source of the package in SwitchDir.
const Switch = `package faults

// Active is the fault that is switched on.
var Active = -1

// On reports whether a fault is.
func On(n int) bool { return n == Active }
`

// Runner is the source of a test that plays the games with a fault.
//
//go:embed runner.go.txt
var Runner string
