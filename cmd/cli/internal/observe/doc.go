// Package observe is the flags --trace, --log and --record, and the files that they name.
package observe
