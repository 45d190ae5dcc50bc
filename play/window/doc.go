// Package window shows an app in a window, or in a page, with Ebitengine: it polls the
// devices, uploads triangles, and plays the mixer.
//
// On a desktop it needs what Ebitengine needs, which on Linux are headers of OpenGL and
// X11 and a C compiler. So it is built there only with the tag "desktop"; for js it
// always is.
package window
