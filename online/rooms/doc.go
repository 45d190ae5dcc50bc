// Package rooms brings the machines of a match together: a server that keeps rooms, and
// the client for it, natively and in a browser. It carries no play. The members of a room
// learn who sits where, exchange what it takes to connect to each other, and are told
// when a match begins and who plays it.
//
//   - Run a server: [NewServer], which is an http.Handler; [Server.Close], [Server.Stats].
//   - Make a room, join one, come back to one: [Enter], with an [Entry].
//   - See who is there: [Client.State]. Hear of changes and signals: [Client.Receive],
//     [Client.Notify].
//   - Talk: [Client.Signal] (to one member), [Client.Settings] (of the host), and
//     [Client.Status] (about oneself).
//   - Play: [Client.Start] (the host), [Client.Playing] and [Client.Ended] (each for itself).
//   - Go: [Client.Close]. Come back after a reload of the page: [Client.Ticket].
//
// # Rooms
//
// A room has an ID of 128 random bits, which is the invitation: whoever knows it may
// join. It is for one game and one build, has 2 to 8 seats for players and some places
// for spectators, and a token (see tickback.Token) that only those who sit know. The host
// is whoever has the lowest seat of those who are connected.
//
// A member that loses its connection keeps its place for a while ([Config.Grace]): the
// client connects again by itself, and a page that is loaded again comes back with its
// [Ticket]. A room that nobody is connected to ends after the same time.
//
// # The protocol
//
// JSON texts over a WebSocket, with the subprotocol [Subprotocol]. The first message of a
// client is "create", "join" or "rejoin"; the answer is "welcome" or "error". Then the
// server pushes "state" when anything has changed. docs/online.md has the messages.
//
// # Limitations
//
//   - The server believes what members say about themselves (their name, whether they
//     play); it vouches for who they are, and for nothing else.
//   - Nothing is on disk: a server that ends forgets its rooms. Matches that are played
//     go on; nobody can join them any more.
package rooms
