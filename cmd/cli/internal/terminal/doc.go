// Package terminal lets a person play in a terminal: it draws pictures, and reads which keys are held.
package terminal
