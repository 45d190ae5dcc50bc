// Package ui has the widgets of menus: buttons, sliders, switches and choices, for mouse, touch, keyboard and
// gamepads. Widgets are not objects: a screen calls them in each picture, between [UI.Begin] and [UI.End], and they
// draw themselves and return what has happened.
//
//	u.Begin(canvas, input, dt)
//	if u.Button(box, "Play") { ... }
//	volume = u.Slider(box, "Volume", volume, 0, 1, 0.05, percent)
//	u.End()
package ui
