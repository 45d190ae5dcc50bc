// Package build tells builds of a program apart.
package build
