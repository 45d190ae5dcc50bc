// Package tanks is the reference game for matches that a server owns: up to sixteen tanks on a map
// with walls, seen from above, 20 ticks a second. It is played between peers and offline, too.
//
// Nothing in it needs a server. It has everything about a game in the forms in which a server and
// its clients use it:
//
//   - [Game] is the game for the engine. [State] is what it advances, and [Input] is what a player
//     holds. [Start] makes state 0 of a match's parameters.
//   - [Drive] moves one tank for any number of milliseconds. [Step] uses it, and so does a client
//     that predicts its own tank: see [Motion] and [Config].
//   - [Sight] blanks what a player must not know.
//   - [Input.Seen] and [State.Trail] let a shot hit what the player saw, although that picture was
//     late.
//   - [Fired] and the other effects are the events for a presentation. It draws the state, [WallAt]
//     and [SpawnAt].
//   - [Bot] plays against people, and against other bots.
//   - [New] and [Step] run the rules without an engine, for tests and tools. [Random] is an input
//     script for them.
//
// docs/reference/tanks.md has all rules and constants, and the known answers.
//
// # The match
//
// A tank appears as soon as its player is there, and is gone in the frame in which the player is
// disconnected; its shots fly on, and its score stays with the place. A tank that was destroyed
// appears again after two seconds. After five minutes the match is over: the player with the most
// kills has won, and among those the one with the fewest deaths. [Start] also makes matches that do
// not end.
//
// # Order
//
// A tick is: the trails take note of where the tanks are; tanks appear and disappear; all tanks
// drive, each as if it were alone; those that overlap are pushed apart; the shots fly, and hit; the
// guns fire. Where the order matters it is that of the players' numbers: pushes pair by pair, shots
// one after the other. Two tanks can destroy each other in the same tick, since a shot does not
// end with its tank.
//
// # Chance
//
// The generator decides one thing: where a tank appears again. It is drawn when the tank is
// destroyed, two seconds ahead, and stays in the wreck. So a client, from which the generator is
// hidden, is told in time where its own tank will appear, and predicts it.
package tanks
