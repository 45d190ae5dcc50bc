// Package app is the whole client except for its window: scenes, menus, modes, settings. A backend calls
// [App.Picture] for each picture with the input and the time that has passed, shows the canvas, and plays the mixer.
//
//   - Make one with [New], and run it with [App.Picture]. Tests query [App.Status].
//   - Add a mode, such as play with others, with [App.Add] and a [Scene].
//   - [Show] is a scene's view of any kind of session.
//
// Local matches and the lab use the app's own clock ([App.Now]), which stops while the game is paused or its page is
// hidden.
package app
