// Package display is imported for what it does before anything else: on systems with X11
// it says that there is no display, and ends the program, where Ebitengine would panic
// while the program is loaded.
package display
