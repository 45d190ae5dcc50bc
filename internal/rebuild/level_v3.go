//go:build amd64.v3

package rebuild

const level3 = true
