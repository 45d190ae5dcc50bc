// Package arena is a brawl for two to eight players, seen from above, 60 ticks a
// second: shots that bounce, dashes that ram, shields that break. It is the
// game with everything that a rollback engine has to carry: fixed-point motion,
// chance, effects, players who come and go.
//
//   - [Game] is the game for the engine; [State] is what it advances, and [Input]
//     is what a player holds.
//   - [State.Result] and [WinnerOf] say who has won.
//   - [Fired] and the other effects are all that a presentation hears of; for
//     what it draws there are [Pillars] and [SpotAt] besides the state.
//   - [Bot] plays against people, and against other bots.
//   - [New] and [Step] run the rules without an engine, for tests and tools;
//     [Random] is a script for them.
//
// # The match
//
// A match is rounds. A round begins when two players are there, with a countdown
// in which nobody moves, and ends when one fighter or none is left standing, or
// after a minute; then the fighter with the most health has won it. If two have
// the most, or if the last ones fall in the same tick, nobody has. Who first
// wins three rounds wins the match. After nine rounds the most rounds win it,
// then the most knock-outs, and if that is even too it is a draw.
//
// A fighter whose player is disconnected is gone in that very frame, and its
// shots fly on. A player who comes, or comes back, joins at the next countdown,
// with the score of its place. While there are less than two players, the
// next round waits for half a minute; then whoever is there has won the match.
//
// Or bots stand in, if the parameters of the match say so. The function that makes
// state 0 of them then says
//
//	*s = arena.New(p.Seed).WithBots(arena.Normal)
//
// From then on a fighter whose player is disconnected, or has not come yet, is
// played by a bot; who comes takes over that fighter in that very frame, in the
// midst of a round, and who leaves hands it to the bot. This is how any game can do
// it: the bot is a function of the state, called in the step for each player whose
// status is rollback.Disconnected (the one status that a step may go by), and whether
// to call it is a part of the state.
//
// # The fight
//
// A fighter runs where its stick points, is slowed down by friction, and looks
// where the stick was last pushed to. Its three buttons:
//
//   - [Shoot], held, charges a shot; letting go fires it. A tap is a weak shot at
//     once. It flies to the nearest opponent who is less than 22 degrees off
//     where the fighter looks, or else straight on; it bounces once, off a wall or
//     a pillar. A fighter has five shots in the air at most.
//   - [Dash], when it goes down, throws the fighter to where it looks. Nothing
//     hurts it meanwhile, and it hits whomever it runs into, once.
//   - [Shield], held, turns damage and the passing of time into loss of energy,
//     which comes back when it is lowered. Without energy it is broken for a
//     while.
//
// A blow costs health, throws the fighter back, the farther the less health it
// has left, and takes control of it for some ticks, charge included. Without
// health it is out until the next round.
//
// Every four seconds a pickup may appear: health, rapid fire for five seconds, or
// three big shots. Whoever touches it has it.
//
// # Order
//
// A tick of the fight is: timers and inputs of all fighters; their motion, then
// walls and pillars; bodies that overlap; the motion of shots; all hits, which are
// decided for everybody before any is applied, so that two fighters can knock each
// other out; pickups, taken and then new. Nothing depends on the numbers of the
// players: who is nearest gets a pickup, and if two are equally near, neither;
// who hits in the same tick shares the credit for a knock-out. The one
// exception is two fighters in exactly the same place, of which the lower
// number is pushed to the left.
//
// Arithmetic rounds alike on all sides, so that a fight turned by half a turn
// stays so. Only pickups are left to chance, and they lie on spots that are
// symmetrical.
package arena
