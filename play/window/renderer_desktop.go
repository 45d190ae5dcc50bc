//go:build desktop && !js

package window

// paintsInSoftware reports whether there is no graphics processor. On a desktop this is found out by slow pictures.
func paintsInSoftware() bool { return false }
