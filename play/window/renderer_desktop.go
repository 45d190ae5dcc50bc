//go:build desktop && !js

package window

// paintsInSoftware reports whether there is no graphics processor. On a desktop, slow pictures will show it.
func paintsInSoftware() bool { return false }
