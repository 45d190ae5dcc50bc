// Package console is what every command does with its terminal, whatever it is about: output
// and errors with their exit codes, tables, JSON, progress bars, and an end at an interrupt.
package console
