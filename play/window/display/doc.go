// Package display is imported for a check that runs first: on systems with X11, if there is no display, it says so and
// ends the program. Otherwise Ebitengine would panic while the program is loaded.
package display
