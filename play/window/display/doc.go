// Package display is imported for a check that runs first: on systems with X11, if there is no display, it says so,
// or lists the flags if requested, and ends the program. Otherwise Ebitengine would panic during its initialisation.
package display
