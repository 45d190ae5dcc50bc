// Package spectate is the command spectate.
package spectate
