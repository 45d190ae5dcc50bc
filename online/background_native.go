//go:build !js

package online

// watch does nothing: it is only needed in pages.
func (b *background) watch() {}
