// Package reports has the command desync, which shows and replays reports of desyncs.
package reports
