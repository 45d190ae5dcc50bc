package window

import (
	"strings"
	"syscall/js"
)

// paintsInSoftware reports whether the browser says that it draws without a graphics processor.
func paintsInSoftware() (software bool) {
	defer func() {
		if recover() != nil {
			software = false // the browser does not say
		}
	}()
	canvas := js.Global().Get("document").Call("createElement", "canvas")
	gl := canvas.Call("getContext", "webgl")
	if gl.IsNull() {
		return true
	}
	info := gl.Call("getExtension", "WEBGL_debug_renderer_info")
	if info.IsNull() {
		return false
	}
	name := strings.ToLower(gl.Call("getParameter", info.Get("UNMASKED_RENDERER_WEBGL")).String())
	if lose := gl.Call("getExtension", "WEBGL_lose_context"); !lose.IsNull() {
		lose.Call("loseContext")
	}
	for _, s := range []string{"swiftshader", "llvmpipe", "software", "basic render"} {
		if strings.Contains(name, s) {
			return true
		}
	}
	return false
}
