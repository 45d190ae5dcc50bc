package rooms

import "time"

// place is what the server has said about the room and this member.
type place struct {
	you           uint32
	secret, token string
	ice           []ICEServer
	ping          time.Duration
	state         State
}

func (p *place) welcome(r *reply) {
	*p = place{r.You, r.Secret, r.Token, r.ICE, time.Duration(min(max(r.Ping, 1000), 3600_000)) * time.Millisecond, *r.State}
}

func (p *place) changed(r *reply) { p.state, p.token = *r.State, r.Token }

func (p *place) renewed(r *reply) { p.ice = r.ICE }

// ticket returns the text with which to take this place again.
func (p *place) ticket() string { return ticket(p.state.Room, p.secret) }

// me returns this member, if the server has it in the room.
func (p *place) me() (Member, bool) { return p.state.Member(p.you) }

// statements are what this member has said about itself. They are said again if the server may have missed them.
type statements struct {
	status  string
	playing uint32
	ended   uint32 // the newest match that we have reported as no longer played here
}

// note stores a statement.
func (s *statements) note(q *request) {
	switch q.Kind {
	case kindStatus:
		s.status = q.Data
	case kindPlaying:
		s.playing, s.ended = q.Match, min(s.ended, q.Match-1)
	case kindEnded:
		if s.ended = max(s.ended, q.Match); s.playing == q.Match {
			s.playing = 0
		}
	}
}

// missed returns what the server does not know, according to what it says of this member and the current match.
func (s *statements) missed(me *Member, match uint32) (list []request) {
	if me.Status != s.status {
		list = append(list, request{Kind: kindStatus, Data: s.status})
	}
	switch {
	case me.Playing != 0 && me.Playing <= s.ended: // the match that has ended, but not one that began in the meantime
		list = append(list, request{Kind: kindEnded, Match: me.Playing})
	case s.playing != 0 && s.playing == match && me.Playing != s.playing:
		list = append(list, request{Kind: kindPlaying, Match: s.playing})
	}
	return list
}
