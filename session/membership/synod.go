package membership

import (
	"fmt"
	"time"
)

// synod is one member's part in the Paxos of a slot: what it has promised and voted for, the votes that it knows, and
// its own newest attempt.
type synod struct {
	self     Player
	wait     time.Duration // how long we wait after the first refusal
	promised ballot
	accepted vote
	votes    []vote // by lowest player
	attempt  attempt
	beginAt  time.Duration // when our first attempt begins, if it was postponed; else Never
}

// vote is what a member has accepted.
type vote struct {
	ballot ballot
	entry  Entry
}

// attempt is our newest attempt to decide the slot.
type attempt struct {
	ballot   ballot    // 0 if there is none
	promises PlayerSet // from these members
	best     vote      // the newest entry that any of them had accepted before
	sent     bool      // whether value was sent for acceptance
	value    Entry
	tries    int
	highest  uint64        // the highest round that refused us
	retryAt  time.Duration // Never unless it was refused
}

// begin begins a slot.
func (s *synod) begin(wait time.Duration) {
	clear(s.votes)
	*s = synod{self: s.self, wait: wait, votes: s.votes, attempt: attempt{retryAt: Never}, beginAt: Never}
}

// postponed reports whether our first attempt has to wait longer for a lower member to begin. The first call begins the
// wait.
func (s *synod) postponed(now, wait time.Duration) bool {
	first := s.attempt.ballot == 0
	if first && s.beginAt == Never {
		s.beginAt = now + wait
	}
	return first && now < s.beginAt
}

// prepare begins a new attempt, including our own promise, unless the one that there is may still succeed.
func (s *synod) prepare(me PlayerSet, now time.Duration) (begun bool) {
	if s.attempt.ballot != 0 && now < s.attempt.retryAt {
		return false
	}
	round := max(s.attempt.highest, s.promised.round()) + 1
	s.promised = newBallot(round, s.self)
	s.attempt = attempt{
		ballot: s.promised, promises: me, best: s.accepted,
		tries: s.attempt.tries + 1, highest: round, retryAt: Never,
	}
	return true
}

// phase returns the message of our attempt that others have to answer now.
func (s *synod) phase() message {
	a := &s.attempt
	if a.sent {
		return message{what: tellAccept, ballot: a.ballot, entry: a.value}
	}
	return message{what: tellPrepare, ballot: a.ballot}
}

// propose sets the entry of our attempt, and returns the message for it.
func (s *synod) propose(e Entry) message {
	s.attempt.sent, s.attempt.value = true, e
	return s.phase()
}

// beyond reports whether a message is of a round too far ahead of the known ones, and returns the last one that is not.
// That one is known from now on, so that the next attempt can be accepted. A vote does not make a round known.
func (s *synod) beyond(m *message) (last ballot, beyond bool) {
	most := max(s.promised.round(), s.attempt.highest) + maxJump
	if m.what == tellAccepted || max(m.ballot.round(), m.previous.round()) <= most {
		return 0, false
	}
	s.attempt.highest = most
	return newBallot(most, s.self), true
}

// refused notes that an attempt of ours was refused because of a promise. We wait before another attempt, longer each
// time, so that one of several members that interfere with each other succeeds.
func (s *synod) refused(b, promised ballot, now time.Duration) {
	a := &s.attempt
	if b != a.ballot {
		return
	}
	a.highest = max(a.highest, promised.round())
	if a.retryAt == Never {
		a.retryAt = now + s.wait<<min(a.tries-1, 6)
	}
}

// promise answers an attempt of another member.
func (s *synod) promise(b ballot) message {
	if b <= s.promised {
		return s.refusal(b)
	}
	s.promised = b
	return message{what: tellPromise, ballot: b, previous: s.accepted.ballot, entry: s.accepted.entry}
}

func (s *synod) refusal(b ballot) message {
	return message{what: tellRefuse, ballot: b, previous: s.promised}
}

// promisedBy counts a promise for our attempt.
func (s *synod) promisedBy(from PlayerSet, m *message) {
	a := &s.attempt
	if m.ballot == a.ballot && !a.sent {
		if a.promises |= from; m.previous > a.best.ballot {
			a.best = vote{m.previous, m.entry}
		}
	}
}

// accept votes for an entry, or abstains, in an attempt that is not outdated.
func (s *synod) accept(b ballot, e Entry, abstain bool) (voted bool, err error) {
	if s.accepted.ballot == b && s.accepted.entry != e {
		return false, fmt.Errorf("%w: two entries in one attempt", errImpossible)
	}
	if s.promised = b; abstain {
		return false, nil
	}
	s.accepted = vote{b, e}
	return true, nil
}

// count records a vote, and returns the lowest players of the members that have voted alike.
func (s *synod) count(from Player, v vote) (alike PlayerSet) {
	s.votes[from] = v
	for p := range s.votes {
		if s.votes[p] == v {
			alike |= 1 << p
		}
	}
	return alike
}
