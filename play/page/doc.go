// Package page makes the web page of the client, which package serve of the online
// module serves.
//
//   - Build its program, and read what belongs to it: [Build].
//   - Put it together in a folder, with names by content and everything compressed: [Pack].
package page
