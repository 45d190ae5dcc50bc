//go:build !amd64.v3

package tickbacktest

const fusedByLevel = false
