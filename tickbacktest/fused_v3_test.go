//go:build amd64.v3

package tickbacktest

// fusedByLevel: x86-64-v3 has a fused multiply-add, and the compiler uses it.
const fusedByLevel = true
