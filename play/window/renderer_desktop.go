//go:build desktop && !js

package window

// paintsInSoftware reports whether there is no graphics processor. On a desktop the
// first slow pictures tell.
func paintsInSoftware() bool { return false }
