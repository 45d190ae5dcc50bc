// Package window shows an app in a window or in a page, with Ebitengine: it polls the devices, uploads triangles, and
// plays the mixer.
//
// On a desktop it has the requirements of Ebitengine, which on Linux are a C compiler and the headers of OpenGL and
// X11. So there it is only built with the tag "desktop"; for js it is always built.
package window
