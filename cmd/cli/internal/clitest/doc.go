// Package clitest runs the command line in tests: a toy game, and matches of several processes'
// commands in one.
package clitest
