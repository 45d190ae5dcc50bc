//go:build !js

package letters

import "github.com/rivo/uniseg"

// first returns the number of bytes of the first letter of a text, which must not be empty.
func first(text string) int {
	letter, _, _, _ := uniseg.FirstGraphemeClusterInString(text, -1)
	return len(letter)
}
