//go:build !amd64.v3

package rebuild

// level3 reports whether this program was built with GOAMD64=v3, or a
// higher level.
const level3 = false
