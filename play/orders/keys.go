package orders

import (
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
)

// keys is the state of the keyboard that lasts from picture to picture.
type keys struct {
	group int     // the one selected last
	since float32 // seconds since then
	idle  int     // the index of the idle unit that was shown last
}

// twice is the maximum time between the two key presses or clicks of a double one, in seconds.
const twice = 0.35

// digits are the keys of the control groups.
var digits = [...]controls.Key{1: "Digit1", "Digit2", "Digit3", "Digit4", "Digit5", "Digit6", "Digit7", "Digit8", "Digit9"}

func anyOf(d *controls.Devices, keys ...controls.Key) bool {
	for _, k := range keys {
		if d.Has(k) {
			return true
		}
	}
	return false
}

func shift(d *controls.Devices) bool { return anyOf(d, "ShiftLeft", "ShiftRight") }

func control(d *controls.Devices) bool {
	return anyOf(d, "ControlLeft", "ControlRight", "MetaLeft", "MetaRight")
}

// press handles keys that have just been pressed. Browsers reserve Ctrl with a digit, so Shift has the same
// effect.
func (h *Hand) press(d *controls.Devices, pressed []controls.Key, dt float32) {
	h.keys.since += dt
	for _, k := range pressed {
		for g, digit := range digits {
			switch {
			case digit != k || digit == "":
			case control(d) || shift(d):
				h.Assign(g)
			default:
				h.Group(g, h.keys.group == g && h.keys.since < twice)
				h.keys.group, h.keys.since = g, 0
			}
		}
		h.letter(k)
	}
}

func (h *Hand) letter(k controls.Key) {
	_, chosen := h.view.Building(h.view.Chosen)
	switch k {
	case "KeyH":
		h.Halt()
	case "KeyA":
		h.March()
	case "KeyB":
		h.Build(skirmish.Barracks)
	case "KeyV":
		h.Build(skirmish.Wall)
	case "KeyI", "Period":
		h.Idle()
	case "KeyU":
		h.Army()
	case "KeyK":
		h.Keep()
	}
	if !chosen {
		return
	}
	for i, key := range TrainKeys {
		if key == k {
			h.Train(skirmish.Kind(i + 1))
		}
	}
	if k == "KeyX" {
		h.Dismiss()
	}
}

// TrainKeys are the keys that train a unit of each kind.
var TrainKeys = [skirmish.Kinds]controls.Key{"KeyQ", "KeyW", "KeyE", "KeyR"}

// scroll moves the camera with the arrow keys.
func (h *Hand) scroll(d *controls.Devices, dt float32) {
	const speed = 900 // units a second
	var by draw.Point
	for key, to := range map[controls.Key]draw.Point{"ArrowLeft": {X: 1}, "ArrowRight": {X: -1}, "ArrowUp": {Y: 1}, "ArrowDown": {Y: -1}} {
		if d.Has(key) {
			by = by.Plus(to)
		}
	}
	h.view.Camera.Move(by.Times(speed * dt))
}
