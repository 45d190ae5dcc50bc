// Package rooms brings the machines of a match together: a server that keeps rooms, and the client for it, natively
// and in a browser. It does not relay the match. The members of a room learn who has which seat, exchange signals to
// connect to each other, and learn when a match begins and who plays it.
//
//   - Run a server: [NewServer], which is an http.Handler; [Server.Close], [Server.Stats].
//   - Make a room, join one, come back to one: [Enter], with an [Entry].
//   - See who is there: [Client.State]. Get changes and signals: [Client.Receive],
//     [Client.Notify].
//   - Talk: [Client.Signal] (to one member), [Client.SetSettings] (of the host), and
//     [Client.SetStatus] (of this member).
//   - Play: [Client.Start] (the host), [Client.Playing] and [Client.Ended] (each for itself).
//   - Leave: [Client.Close]. Come back after a reload of the page: [Client.Ticket].
//
// # Rooms
//
// A room has an ID of 128 random bits, which is the invitation: everybody who knows it may join. It is for one game
// and one build, has 1 to 16 seats for players and some places for spectators, and a token (see tickback.Token) that
// only members with a seat know. The host is the connected member with the lowest seat.
//
// A member that loses its connection keeps its place for a while ([Config.Grace]): the client reconnects by itself,
// and a reloaded page comes back with its [Client.Ticket]. A room without connections ends after the same time.
//
// # The protocol
//
// JSON texts over a WebSocket, with the subprotocol [Subprotocol]. The first message of a client is "create", "join"
// or "rejoin"; the answer is "welcome" or "error". Then the server pushes "state" after every change. docs/online.md
// describes the messages.
//
// # Limitations
//
//   - The server believes what members say about themselves (their name, whether they
//     play); it vouches only for their identity.
//   - Nothing is stored on disk: a server that ends forgets its rooms. Running matches
//     continue; nobody can join them any more.
package rooms
