//go:build desktop && !js

package window

// paintsInSoftware reports whether there is no graphics processor. On a desktop this is not known: only slow
// pictures show it.
func paintsInSoftware() bool { return false }
