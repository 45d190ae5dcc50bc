// Package effects turns what a simulation emits into sounds and sparks that play
// once. With rollback a frame is simulated several times, and a frame that was
// predicted may turn out not to have happened. The [Journal] compares what the
// frames emit with what has been shown, and reports the difference as events.
// A presentation only has to act on them: nothing plays twice, nothing is cut and
// restarted, and effects that never happened are faded out.
//
//   - declare what a game emits: [OneShot], [Sustained]
//   - emit it, in a step: [Kind.Emit]
//   - show it, after a tick: a switch on [Event.What]; see the example
//   - show it only when it is certain: wait for [Confirmed], or
//     [Kind.OnlyConfirmed]
//   - run a journal without an engine: [NewJournal], [Journal.Begin],
//     [Journal.Flush]; go on somewhere else: [Journal.Finish], [Journal.Reset]
//   - find a step that does not emit the same twice: [Journal.Digest]
//
// # Identity
//
// An effect is recognized by its kind and its key. The key should name what
// causes or suffers it (player 1, projectile 7), never a count of emissions or
// anything else that a correction changes. Within a frame a kind and a key count
// once: a second emission replaces the payload of the first and keeps its place.
//
// The newest frame is the last that has been simulated. A frame is final if it is
// below the agreed count and has been simulated; final frames never change.
//
// # Rules for one-shot effects
//
// An occurrence is an identity at a frame. At each Flush:
//
//  1. What is shown at a frame and emitted there is left alone; it is Updated if
//     its payload differs from the one reported.
//  2. What is shown at a frame that no longer emits it is an orphan. Orphans, by
//     ascending frame, each take the nearest emission of their identity, at most
//     Tolerance frames away, that is not shown itself, the earlier of two: it is
//     Moved there, with the payload from there.
//  3. An orphan that finds none waits while frames within its Tolerance are still
//     to be simulated: one of them may emit it, or its own frame may again, which
//     is rule 1. When the newest frame is Tolerance frames after it, it is
//     Cancelled.
//  4. An emission that is not shown and that no orphan takes is Started. Late is
//     how many frames have been simulated after it.
//  5. When a frame becomes final, everything that it emits is Confirmed. That is
//     the last event of such an occurrence.
//
// # Rules for sustained effects
//
// A sustained effect is emitted in every frame in which it is on. At each Flush,
// for each identity:
//
//  1. It is Started if it is emitted in the newest frame and is not on. It begins
//     where the unbroken run of frames with it begins.
//  2. Until it is Confirmed, its beginning may be corrected. It is Moved to where
//     the run of its reported beginning begins by now. If it is not emitted there
//     any more, it is Moved to the first frame with it, at most Tolerance frames
//     later, or else to the beginning of the run that the newest frame is in.
//  3. While it is emitted in the newest frame it goes on, whatever pauses there
//     were. It is Updated if the payload of the newest frame differs from the one
//     reported. (Moved carries the new payload too.)
//  4. If it is not emitted in the newest frame, it is over at once if the inputs
//     of all frames are confirmed. Otherwise the silence may be a wrong
//     prediction: it goes on, without any event, until more than Tolerance frames
//     are silent, counted from its beginning if that is later.
//  5. When it is over it has Ended, if its beginning is Confirmed or is still
//     emitted, and is otherwise Cancelled.
//  6. It is Confirmed once, when the frame of its beginning is final and emits it.
//     A correction cannot cancel it then, but it still has to end.
//
// What begins and ends between two Flushes, without being on in the newest frame of one, is not reported. An effect
// that Ended because of a wrong prediction for longer than Tolerance is Started again, and Late says how long ago it
// began.
//
// # What must never be wrong
//
// Started shows a prediction. Wait for Confirmed where a mistake would be embarrassing (a KO jingle), or declare the
// kind with [Kind.OnlyConfirmed]. The rules then apply to final frames only: an effect is Started and Confirmed in one
// Flush, with Late as large as the network makes it, and can afterwards only be Updated or end, if it is sustained.
//
// # Order of events
//
// The events of a Flush come in this order. It is the same on two machines that have the same frames and Flushes:
//  1. orphans, Moved or Cancelled, by frame; those of one frame in the order in
//     which they became orphans, then in which the frame emitted them before
//  2. sustained effects that are on, in the order in which they were started:
//     Moved, Updated, Ended and Cancelled. Of one effect Moved comes before Ended
//  3. one-shot effects, Updated and Started, by frame and order of emission
//  4. sustained effects, Started, in the order of emission; first those that may
//     be wrong, then those of kinds that are only confirmed
//  5. one-shot effects, Confirmed, by frame and order of emission; those of kinds
//     that are only confirmed are Started right before
//  6. sustained effects, Confirmed, in the order in which they were started
//
// # Limits
//
//   - A frame has MaxPerFrame effects. Further ones are left out and counted by
//     [Journal.Dropped].
//   - MaxPerFrame*(Tolerance+1) orphans may wait, and as many sustained effects may
//     go on in silence. Those beyond, in the order of events, are over at once.
//   - To find the first silent frame that Ended reports, the journal searches the frames
//     that were not final at the last Flush and the Tolerance+1 before.
//   - Memory is bounded by the config: about 56 bytes for each frame of History;
//     48 for each of MaxPerFrame effects, of every frame that is not final, or was
//     at most Tolerance+1 frames ago, and emits any; and 64 for each event of the
//     largest Flush. A journal stops allocating once it has seen its largest tick.
//   - Looking for an effect in a frame is a scan, so that a frame of n effects
//     costs n*n comparisons of 8 bytes. It is made for tens of effects, not thousands.
//   - Payloads have no floats. They are for the presentation, but what is emitted
//     is compared, and must be the same on all machines.
package effects
