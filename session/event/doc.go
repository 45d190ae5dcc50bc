// Package event has what a session tells its application: an [Event] is something that has
// happened, and a [Queue] holds those that the application has not taken yet.
package event
