// Package event defines what a session reports to its application: an [Event] is something that has happened, and a
// [Queue] holds those that the application has not fetched yet.
package event
