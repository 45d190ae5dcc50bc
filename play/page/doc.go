// Package page makes the web page of the client, which package serve of the online module serves.
//
//   - [Build] builds its program, removes what it does not need (package slim), and reads the other parts.
//   - [Pack] puts the page together in a folder, with names by content and everything compressed.
package page
