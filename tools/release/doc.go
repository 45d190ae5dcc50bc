// Package release has no code: its test checks that scripts/release.sh does not tag a release unless everything is in
// order. scripts/release-dry-run.sh checks that a tagged release works.
package release
