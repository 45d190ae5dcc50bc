// Package recordings has the command replay, which verifies, edits and shows recordings.
package recordings
