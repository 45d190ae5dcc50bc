// Package app is the whole client but its window: scenes, menus, modes, settings. A
// backend calls [App.Picture] for each picture with what is held and how much time has
// passed, shows the canvas, and plays the mixer.
//
//   - Make it: [New]. What it does: [App.Picture]. What a test wants to know:
//     [App.Status].
//   - Add a mode, such as play with others: [App.Add], with a [Scene].
//   - A scene that shows a session, wherever it comes from: [Show].
//
// Local matches and the lab run by the app's own clock ([App.Now]), which stands still
// while the game is paused or its page is hidden.
package app
