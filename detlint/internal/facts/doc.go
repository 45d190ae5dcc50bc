// Package facts stores what an examination knows about packages, so that their source need not be read again for
// packages that import them. A [Set] has the summaries of a package and of everything that it imports, outside of the
// standard library, as one blob for each package; a blob is decoded when something in it is needed.
package facts
