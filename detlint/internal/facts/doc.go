// Package facts stores what an examination knows of packages, so that those who import them need
// not read their source again. A [Set] has the summaries of a package and of everything that it
// imports, outside of the standard library, as one blob a package; a blob is read when something
// in it is asked for.
package facts
