//go:build !amd64.v3

package rebuild

// level3 says whether this program was built with GOAMD64=v3, or more.
const level3 = false
