// Package spectate has the command spectate.
package spectate
