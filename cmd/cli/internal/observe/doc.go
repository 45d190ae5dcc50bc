// Package observe has the flags --trace, --log and --record, and writes the files that they name.
package observe
