//go:build !js

package online

// watch is for pages.
func (b *background) watch() {}
