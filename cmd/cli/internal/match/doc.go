// Package match has the commands match, its short forms for each game, and token.
package match
