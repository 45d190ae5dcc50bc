// Package tickbacktest has helpers for the tests of a game: one line each, in the game's own "go test". They play many
// random matches and look for anything that would make two machines, or two simulations of one frame, arrive at
// different states.
//
//		func TestDeterminism(t *testing.T) {
//			tickbacktest.Check(t, game, tickbacktest.Options[Input]{Players: 2})
//		}
//
//	  - run all the checks: [Check]
//	  - roll back and simulate again in every tick: [SyncTest]
//	  - compare two instances, also on a busy machine: [Twins]
//	  - hold the step and the snapshots to their contract: [Purity]
//	  - compare architectures, builds and versions: [Frozen]
//	  - have the test built for other targets, and compare them now: [Builds]
//	  - play whole matches between machines, on bad networks: [Match], [MatchPlan];
//	    and between clients and a server: [Served], [ServedPlan]
//	  - play a match again that has failed: [Replay]
//	  - test a step for a server that decides: [Prediction]
//	  - run the linter in a test: [Lint]
//	  - test that a check fails: [Failure]
//	  - say what the players can do: [Options.Generate], [Options.Inputs]
//	  - look further into a match, or less far: [Options.Longest]
//	  - have orders, longer matches, or more players: [Options]
//
// # What finds what
//
//   - ranges over maps, the clock, math/rand, goroutines: SyncTest, Twins, Purity
//   - a variable outside of the state: SyncTest, Twins, Purity
//   - Tick.Resimulating, or Predicted and Confirmed, in the state, in effects or
//     in a result: SyncTest, and Purity, which says which of them
//   - a field that a snapshot leaves out or shares: SyncTest and Purity
//   - a field that Hash, Marshal or Init leaves out: Purity. For Hash, and for
//     what neither is hashed nor saved, the game has to give Describe
//   - memory that all instances share: Twins
//   - orders that are changed or kept, and panics: Purity; panics: all
//   - floats that are fused on some machines, assembly and C: Builds, in "tickback test
//     --strict" or "tickback test"; and Frozen, run on several architectures, which
//     also finds the width of int. The others cannot find what one machine does alike
//
// # A failure
//
// It shows the first frame that was wrong, the fields that differ with both
// values, the inputs, likely causes, and a line that plays the match again. The
// match is the shortest that was found: frames, orders, absences and inputs are
// taken away, and inputs made simpler, as long as it fails in the same way. With
// Options.Generate inputs stay among those that it makes, and zero.
//
// If a failure is intermittent, as with maps and goroutines, the match is played several times; the report says how
// often it fails.
//
// # How much is tried
//
// Inputs are drawn by [pgregory.net/rapid]: -rapid.checks is the number of matches of each check, 100 by default and a
// fifth of that with -short, and -rapid.seed repeats a run. This package shrinks failures itself, and writes no files.
// The cost of a match, in steps: SyncTest Frames times 8, Twins Frames times 2, Purity Frames times 4. Builds plays 8
// matches and one that goes on, once in each build. The first eight matches, and then every tenth, are examined more
// closely: on a busy machine, and with the output of Describe.
//
// After them two more matches of each check, one with -short, go on beyond Frames for as long as they meet new states,
// since a clock or a variable may matter only after seconds of play. In them inputs are held for up to four seconds. A
// state is new if no such match of the check has had its hash. A match ends after 2*Frames frames without a new state,
// or with frame Options.Longest: 3,600 by default, a minute at 60 ticks/s. A state that counts frames is always new, so
// its matches reach this limit: about 2*3,600*(8+2+4) = 100,800 steps for all checks together, beside 336,000 for 100
// matches of 240 frames. The search counts frames, never time: a faster machine plays the same matches.
//
// A test that proves nothing does not pass: it fails if no frame was compared, or if the hash was the same in all
// frames of all matches. Anything that cannot be tested because the game lacks a function is logged, with the name of
// the function: read the log once, with go test -v. There, a slow check also reports its progress, and what would make
// it faster, such as a Hash function of the game.
//
// # Limitations
//
//   - Random inputs reach only so far: a rule that needs a minute of skilled play
//     is tested by Options.Inputs, with a script or a recording.
//   - What matters only after Options.Longest frames is not found; nor is what
//     matters after 2*Frames frames in which the game has come to no new state.
//   - Tests play much faster than people: what a step does once the clock has
//     reached some time is found only if the test is running by then.
//   - A game that is a process-wide global has one instance at a time: [Twins] is
//     not for it.
//   - What happens in a step that blocks forever, or ends the process as a
//     concurrent map write does, cannot be reported.
package tickbacktest
