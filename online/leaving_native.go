//go:build !js

package online

// onLeaving does nothing: it is only needed in browsers.
func onLeaving(func()) (stop func()) { return func() {} }
