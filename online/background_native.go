//go:build !js

package online

// watch does nothing: it is only needed in browsers.
func (b *background) watch() {}
