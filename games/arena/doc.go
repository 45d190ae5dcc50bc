// Package arena is a brawl for two to eight players, seen from above, 60 ticks a second:
// shots that bounce, dashes that ram, shields that break. It uses everything that a rollback
// engine has to support: fixed-point motion, chance, effects, and players that come and go.
//
//   - [Game] is the game for the engine. [State] is what it advances, and [Input] is what a
//     player holds.
//   - [State.Result] and [WinnerOf] say who has won.
//   - [Fired] and the other effects are the events for a presentation. It draws the state,
//     [Pillars] and [SpotAt].
//   - [Bot] plays against people, and against other bots.
//   - [New] and [Step] run the rules without an engine, for tests and tools. [Random] is an
//     input script for them.
//
// # The match
//
// A match consists of rounds. A round begins when two players are there, with a countdown in
// which nobody moves. It ends when at most one fighter is left standing, or after a minute;
// the fighter with the most health wins it. If two have the most, or if the last ones fall in
// the same tick, nobody wins it. The first to win three rounds wins the match. After nine
// rounds the player with the most rounds wins, then the one with the most knock-outs; if that
// is equal too, the match is a draw.
//
// A fighter whose player is disconnected is gone in that very frame, and its shots fly on. A
// player that comes, or comes back, joins at the next countdown, with the score of its place.
// While there are fewer than two players, the next round waits for half a minute; then the
// player that is left wins the match.
//
// Alternatively, bots stand in, if the parameters of the match say so. The function that makes
// state 0 from them then says
//
//	*s = arena.New(p.Seed).WithBots(arena.Normal)
//
// Then a bot plays each fighter whose player is disconnected or has not come yet. A player
// that joins takes over its fighter in that very frame, even during a round; a player that
// leaves hands it to the bot. Any game can do this: the bot is a function of the state. The
// step calls it for each player whose status is rollback.Disconnected, the one status that a
// step may depend on. Whether to call it is part of the state.
//
// # The fight
//
// A fighter runs where its stick points, is slowed down by friction, and faces where the
// stick was last pushed to. It has three buttons:
//
//   - [Shoot] charges a shot while it is held; letting go fires it. A tap fires a weak shot
//     at once. The shot flies to the nearest opponent less than 22 degrees from where the
//     fighter faces, or else straight on. It bounces once, off a wall or a pillar. A fighter
//     has at most five shots in the air.
//   - [Dash], when it goes down, throws the fighter forward. Nothing hurts it meanwhile, and
//     it hits each opponent that it runs into once.
//   - [Shield], while it is held, takes the damage. Damage and time cost energy, which comes
//     back when the shield is lowered. Without energy it is broken for a while.
//
// A blow costs health, throws the fighter back (farther the less health it has left), and
// takes control of it for some ticks; a charge is lost. Without health it is out until the
// next round.
//
// Every four seconds a pickup may appear: health, rapid fire for five seconds, or three big
// shots. A fighter takes it by touching it.
//
// # Order
//
// A tick of the fight is: timers and inputs of all fighters; their motion, then walls and
// pillars; bodies that overlap; the motion of shots; all hits, which are decided for all
// fighters before any is applied, so that two fighters can knock each other out; pickups,
// taken and then new. Nothing depends on the numbers of the players: the nearest fighter gets
// a pickup, and if two are equally near, neither does; all that hit in the same tick share the
// credit for a knock-out. The one exception is two fighters in exactly the same place: the one
// with the lower number is pushed to the left.
//
// Arithmetic rounds alike on all sides, so that a fight turned by half a turn plays out the
// same. Only pickups are left to chance, and their spots are symmetrical.
package arena
