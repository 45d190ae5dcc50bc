// Package console is what all commands have in common: output and errors with their exit codes, tables, JSON,
// progress bars, and ending after an interrupt.
package console
