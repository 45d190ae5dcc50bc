// Package foyer has what all modes that are played with others have in common.
//
//   - Before a match: [Asker] asks for a name and a link, and [Search] looks for a room or a server.
//   - In a match: [Menu] is the menu over it, [Notices] disappear by themselves, [Quality] is that of the network,
//     [Twice] has buttons that are pressed twice.
//   - Ends: [Trouble] explains what went wrong and what helps, [Retry] says when to try again, [Leaving] closes what
//     others have to be told of, and [Still] is the last picture of a match.
//   - [Machine] is what a page or a desktop supports, such as a clipboard ([Copying]), and [Place] our place in a room,
//     which it keeps.
package foyer
