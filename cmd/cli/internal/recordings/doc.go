// Package recordings is the command replay, which verifies, edits and shows recordings.
package recordings
