package fleet

import (
	"embed"
	"testing"
	"time"
)

// plans have failed once, each for another reason, and are as they were shrunk then:
//
//   - duel-drop-or-kick: of two, the lower decided alone to send the other away, and
//     went; the other dropped it in the same slot. Now that is a removal of each by the
//     other, which the referee knows; other entries take both.
//   - lan-4-dropped-frame-0, swarm-4-left-frame-0: the referee read the log of the match
//     before, since the machines look once a frame, and awaited who was gone by then.
//   - wifi-2-alone-in-the-next-match: two that had lost each other were judged as one
//     match again from the next one on.
//   - membership-6-dropped-before-it-is-met: of a newcomer that was dropped before another
//     one that joined had met it, no event told.
//   - boundary-4-out-with-another: one that was in the match to its end, and out by the
//     same entry as somebody who was not, played on with inputs of the latter that nobody
//     else had; and its end counted frames that it had never told as agreed.
//   - boundary-3-left-before-it-begins: who left in the lobby was looked for in the log of
//     the match that began in the same moment.
//   - lan-3-spectator-not-live: it held the time that a spectator had kept up with the
//     match before against it.
//   - swarm-2-watch-and-one-moves, membership-2-watch-and-one-moves: a spectator that has
//     moved takes the place of one of its network, and the statistics counted whoever had
//     been told to go, and not confirmed it, among those who watch.
//   - membership-closed-at-the-end: a machine that is closed while it waits for the others
//     at the end of a match shows all of it, and the referee, who saw no outcome, took off
//     the frames that spectators are behind.
//   - mobile-3-end-suspended, lan-3-end-removed: the referee did not know that the log decides who
//     goes with End, too: that a side without a majority waits for QuorumTimeout, and that
//     whoever is out is told so.
//   - membership-3-unagreed-returns, membership-4-unagreed-returns: whoever had ended
//     without a majority, and had come back, was asked why by the end of the run, when its
//     session was another one.
//   - awful-2-dropped-behind-the-end, boundary-2-both-drop-at-the-end: of two that had dropped each other, one did so behind
//     the last frame, which is in no log, and the referee took both for one match.
//   - boundary-2-end-pause-taken-back: a pause that was taken back before it was decided
//     came all the same, and lasted until MaxPause.
//   - boundary-2-returns-to-the-next-match, boundary-2-no-host-for-the-next-match: who had come
//     back was asked for the end of a match that it had not played, and who had no host any
//     more for that of one that nobody began.
//   - intercontinental-2-moved-while-cut: the referee took a machine that had moved for
//     heard while the answer to its challenge was cut.
//   - membership-3-end-cut-off-in-a-pause: one that was cut off before it heard the end of a
//     pause counted frames to its end that it had not played.
//   - membership-3-dropped-before-frame-0: the referee forgot who was told to be dropped
//     while all got ready.
//   - membership-4-kick-while-one-joins: a kick revoked the token of somebody whose coming
//     was decided already, so that it came, and was dropped at once.
//   - intercontinental-2-killed-while-all-sleep: two were suspended, and one of them killed
//     meanwhile; the referee counted the silence from then, and not from when the other
//     one was awake.
//   - membership-4-comes-and-goes-before-a-newcomer: a newcomer did not know of one who came
//     and left again between what it had of the match and the frame with which it began.
//   - membership-4-newcomer-falls-back: a newcomer that was ready once was let in when it had
//     fallen far behind, since its host had left; it took the others' inputs for impossible.
//   - membership-3-host-still-connects: the referee did not wait for a host that still
//     connected to somebody who had left.
//   - membership-5-joins-behind-the-end: the referee did not know that a machine had come
//     behind the last frame of a match, which is in no log.
//   - membership-6-state-of-another-host: a spectator that had all of a state, and not yet
//     where the frames begin, went to another host, which went on where the spectator was.
//   - membership-8-newcomer-changes-its-host: a newcomer had the chain from its first host and
//     a later state from the next one, so that its chain was another one than all the others'.
//   - membership-6-killed-as-it-begins: one was killed when some had begun and its host, who
//     had heard nothing authentic from it yet, had not. They waited for each other.
//   - membership-2-returns-as-it-ends: one that came back as the match ended was told so with an
//     error without a type.
//   - wifi-2-drops-behind-the-end: of two that had dropped each other, one did so behind the last
//     frame, began the next match at once, and the referee had forgotten it.
//   - membership-3-crashed-with-the-entry: one was out by an entry of the log, and the one that
//     had decided it had crashed. The referee expected the third one to know it.
//   - membership-8-newcomer-whose-token-is-revoked: a newcomer that went on by itself was sent
//     away by its host, and took the frames of the next one for frames behind a gap.
//   - membership-3-hears-what-was-lost: datagrams that had been lost were sent again by an
//     attacker, so that a machine heard somebody who was gone, and began to wait anew.
//   - arrivals-6-left-as-one-joins: a newcomer was told that somebody leaves with the frame that
//     it was at, came before the stream said so too, and waited for inputs of the other.
//   - arrivals-8-in-and-out-again: a newcomer was let in and dropped again while it heard nobody,
//     got frames without itself from the next host, and then met its own entry in the log.
//   - arrivals-7-no-host-on-this-side: one that had joined, and lacked frames from before, gave up
//     with its hosts while its side of the match was no majority, and the other side was back.
//   - arrivals-2-alone-and-not-there-yet, arrivals-7-nobody-has-the-frames: the referee did not know
//     that one who lacks frames from before it came cannot go on with nobody who has them.
//   - arrivals-8-two-at-once: of two newcomers one was let in, and it and the other one each waited
//     for the other to tell its position first. The other one never came.
//   - arrivals-8-another-host-has-the-frames: one that had joined lacked frames that the next host
//     did not have, and did not ask the one after it.
//   - arrivals-4-begins-without-a-majority: two of four were suspended until the others began to
//     play, and the referee counted from the suspension on how long these waited for a majority.
//   - wifi-2-suspended-between-silences: both were suspended between two times in which one did not
//     hear the other, and the referee took these for two silences.
//   - boundary-5-waits-for-orders: the time-out of orders doubled without end, so that at a loss
//     of 20 % the match waited for four seconds.
//   - arrivals-7-two-behind-the-end: asked for its log, a machine forgot what is behind the last
//     frame, and then it did not know of another newcomer.
//   - boundary-2-left-after-it-dropped: of two, one had dropped the other, and left. The other
//     removed it, too, which was told as a leave, and the referee awaited a drop.
//   - arrivals-3-state-that-is-not-agreed: a spectator had a state of a host that had not said
//     yet that it is agreed, came again, and took it with the frames from where it was.
//   - intercontinental-3-hears-what-was-lost: as membership-3-hears-what-was-lost, with End.
//   - awful-2-attaches-twice: a spectator that slept after it had attached did so again with
//     the same nonce; its host began the same streams anew, and took it for broken.
//   - awful-3-leaves-before-it-begins: one that left before it had begun voted on in the log of
//     the match, and dropped whoever had given it up.
//   - membership-2-back-at-its-last-frame: one that came back had been in the match up to the
//     very frame that it was at, and came in before the stream said that it had gone.
//   - arrivals-7-joins-behind-the-end: one was let in, from a frame behind the last one on, while
//     all waited at the end for each other. They had told how the match ends before, and it
//     waited for that in vain.
//   - swarm-8-burst-in-the-lobby: one had left, so all waited for it, and a burst of lost datagrams
//     lasted for more than five seconds, as there are few datagrams before a match; the referee
//     took that for a loss of somebody that is there.
//   - boundary-2-slow-after-it-returned: one had come back in the first match, with frame 132, and
//     the referee thought for the next 12 seconds of the second one that it lacked frames before.
//   - boundary-2-slow-after-it-came-too-late: one had come back behind the last frame of the first
//     match, which is in no log, and the referee took it for no member of the second one.
//   - boundary-3-moved-and-given-up: one moved, and slept until the others had dropped it and played
//     the next match. Who is gone is not followed, but the referee thought that they hear each other.
//   - arrivals-4-asked-anew-by-a-member: a member gave a newcomer up whose token was revoked, and said Hello to it again, with
//     another nonce. The newcomer took it for a process that was started again.
//   - arrivals-3-kicked-and-asked-anew: so did a newcomer that had joined, and was kicked and cut off.
//   - arrivals-2-joined-and-hears-nobody: a newcomer whose way was cut at the moment at which it was let in was waited for as long
//     as it asked to be told the match, since it was heard.
//   - arrivals-3-kick-while-one-decides: a kick revoked the token of somebody about whose coming a member had still to decide,
//     which slept for longer than such a newcomer was served; so it came, and was dropped at once.
//   - arrivals-2-joined-in-a-pause: one that was let in as the match was paused was dropped, since it played nothing.
//   - arrivals-2-back-without-a-frame: one came back, was killed before its first frame, and came back with the same frame once more:
//     the engine took that for a return into the past, and the referee found the second entry where the first one is.
//   - swarm-2-alone-and-its-own-members: of two that had dropped each other, one began the next match, and the referee took
//     the members of the other one's log for its own.
//   - slow-2-spectator-at-20hz: the referee took what a spectator has in hand for the same number of frames at any tick rate,
//     and one that catches up as well as its machine allows for one that had done so.
//   - slow-2-frames-come-behind-each-look: one in lockstep, which looks once a frame, showed none and then two as one wherever the
//     frames of a slow machine came just behind its look.
//   - slow-2-lockstep-with-bursts: the referee expected pictures of the frames that come due during a burst, although several
//     of them are run at once, or none.
//   - swarm-2-narrow-in-the-midst: a short queue that a message of 62 KB fills carried no large datagram any more, which nobody
//     noticed, and the match stood still.
//   - swarm-2-still-plays-the-next-match: one was started again, and heard nobody until the other, alone, played the next match. It was
//     told so, and the referee knew of the match before only.
//
//go:embed testdata/plans/*.json
var plans embed.FS

func TestRegressionPlans(t *testing.T) {
	list, err := plans.ReadDir("testdata/plans")
	if err != nil || len(list) < 60 {
		t.Fatal(list, err)
	}
	for _, f := range list {
		t.Run(f.Name(), func(t *testing.T) {
			b, err := plans.ReadFile("testdata/plans/" + f.Name())
			if err != nil {
				t.Fatal(err)
			}
			p, err := ParsePlan(b)
			if err != nil {
				t.Fatal(err)
			}
			fine(t, p, playLedger(t, p))
		})
	}
}

// One that comes back to a match of two, and is cut off just then, does not drop the one
// that is left: it counts its silence from when it is a member, and cannot go on without
// inputs from before it has come. (It was told that it had joined, and in the same moment
// dropped the host, who had been "silent for 0s", at a frame before.)
func TestRegressionANewcomerDoesNotDropItsHost(t *testing.T) {
	every := 20 * time.Millisecond
	if testing.Short() {
		every = 200 * time.Millisecond
	}
	for at := 9 * time.Second; at < 11*time.Second; at += every {
		p := continuingPlan(2, 1800,
			Fault{Kind: Kill, At: 2 * time.Second, Machine: 1},
			Fault{Kind: Return, At: 9 * time.Second, Machine: 1},
			Fault{Kind: Partition, At: at, For: 7 * time.Second, Side: 0b01})
		p.Link.Loss = 50_000
		for p.Seed = range uint64(3) {
			fine(t, p, playLedger(t, p))
		}
	}
}
