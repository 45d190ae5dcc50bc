// Package release has no code: its test proves that scripts/release.sh tags nothing that is not
// as it has to be. scripts/release-dry-run.sh proves that what it tags works.
package release
