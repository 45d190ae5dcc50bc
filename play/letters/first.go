//go:build !js

package letters

import "github.com/rivo/uniseg"

// first returns how many bytes the first letter of a text has, which is not empty.
func first(text string) int {
	letter, _, _, _ := uniseg.FirstGraphemeClusterInString(text, -1)
	return len(letter)
}
