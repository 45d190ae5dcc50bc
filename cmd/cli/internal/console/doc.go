// Package console has what all commands share: output and errors with their exit codes, tables, JSON, progress bars,
// and ending after an interrupt.
package console
