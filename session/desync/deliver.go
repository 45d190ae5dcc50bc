package desync

// MaxWaiting is how many bytes may be waiting for a peer before pieces of a report are held back, so that the
// messages of the match never have to wait for them.
const MaxWaiting = 8 << 10

// sendReport sends the report, one piece at a time to each member that gets it.
func (v *Investigation) sendReport() {
	for _, m := range v.members {
		if !m.giving || !v.setup.Ready(m.peer) {
			continue
		}
		p := piece{size: uint32(len(v.report)), offset: uint32(m.given)}
		p.bytes = v.report[m.given:min(m.given+pieceSize, len(v.report))]
		m.given += len(p.bytes)
		m.giving = m.given < len(v.report)
		v.send(m, Piece, p.append(nil))
	}
}

// giveAll starts sending the report to all other members.
func (v *Investigation) giveAll() {
	for _, m := range v.members {
		if m.peer >= 0 && !m.gone {
			m.give()
		}
	}
}

// give starts sending the report to a member, unless it is being sent already.
func (m *member) give() {
	if !m.giving {
		m.giving, m.given = true, 0
	}
}

// abort ends the investigation for all peers without a report.
func (v *Investigation) abort(why string) {
	p := piece{bytes: []byte(why)[:min(len(why), maxWhy)]}
	for _, m := range v.members {
		v.send(m, Piece, p.append(nil))
	}
	v.close(nil, why)
}

// receivePiece handles a part of a report. The first complete report counts.
func (v *Investigation) receivePiece(m *member, p *piece) error {
	if v.phase != running || m.gone {
		return nil
	}
	if p.size == 0 {
		if lowest(m.players) < lowest(v.own.players) {
			v.close(nil, string(p.bytes))
		}
		return nil
	}
	if int(p.offset) != len(m.arriving) {
		return ErrRange // pieces come in order
	}
	m.arriving = append(m.arriving, p.bytes...)
	if len(m.arriving) < int(p.size) {
		return nil
	}
	if err := v.verify(m.arriving); err != nil {
		return err
	}
	v.close(m.arriving, "") // if we are the coordinator, lead sends it to the others
	return nil
}

// verify rejects a report that is not about this match, or contradicts our own state.
func (v *Investigation) verify(b []byte) error {
	r, err := Decode(b)
	if err != nil {
		return err
	}
	if r.Game != v.match.Game || r.Match != v.match.Match || r.Shape != v.setup.Evidence.cfg.Shape {
		return ErrForged
	}
	for _, p := range r.Peers {
		if p.Players&v.own.players == 0 {
			continue
		}
		hash, held := v.setup.Evidence.HashOf(r.State)
		if p.Players != v.own.players || p.Group != None && held && r.Groups[p.Group] != hash {
			return ErrForged
		}
		return nil
	}
	return ErrForged
}
