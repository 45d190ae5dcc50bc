// Package build identifies builds of a program.
package build
