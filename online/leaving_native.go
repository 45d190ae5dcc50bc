//go:build !js

package online

// onLeaving is for pages.
func onLeaving(func()) (stop func()) { return func() {} }
