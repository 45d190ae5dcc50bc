//go:build !js

package webrtc

import (
	"net"
	"time"

	"github.com/pion/ice/v4"
	pion "github.com/pion/webrtc/v4"
)

// maker makes connections.
type maker struct {
	api *pion.API
	cfg pion.Configuration
}

// Time-outs of ICE. They detect silence before a session drops the peer (5 s), so that another path can be found in
// time.
const (
	interruptedAfter = 2500 * time.Millisecond
	failedAfter      = 6 * time.Second
	keepAlive        = time.Second
)

func newMaker(c *Config) (*maker, error) {
	var se pion.SettingEngine
	se.SetICETimeouts(interruptedAfter, failedAfter, keepAlive)
	se.SetICEMulticastDNSMode(ice.MulticastDNSModeQueryOnly) // browsers hide their addresses so
	se.SetSCTPMaxReceiveBufferSize(1 << 20)
	if c.Loopback {
		se.SetIncludeLoopbackCandidate(true)
		se.SetIPFilter(net.IP.IsLoopback)
		se.SetICEMulticastDNSMode(ice.MulticastDNSModeDisabled)
	}
	m := &maker{api: pion.NewAPI(pion.WithSettingEngine(se))}
	for _, s := range c.ICE {
		server := pion.ICEServer{URLs: s.URLs, Username: s.Username, Credential: s.Credential}
		trial, err := m.api.NewPeerConnection(pion.Configuration{ICEServers: []pion.ICEServer{server}})
		if err != nil {
			return nil, errServer(s, err)
		}
		_ = trial.Close() // an error does not matter, since nothing was started
		m.cfg.ICEServers = append(m.cfg.ICEServers, server)
	}
	if c.RelayOnly {
		m.cfg.ICETransportPolicy = pion.ICETransportPolicyRelay
	}
	return m, nil
}

type nativeConnection struct {
	peer    *pion.PeerConnection
	channel *pion.DataChannel
}

func (m *maker) connect(call callbacks) (connection, error) {
	peer, err := m.api.NewPeerConnection(m.cfg)
	if err != nil {
		return nil, err
	}
	channel, err := peer.CreateDataChannel(channelLabel, &pion.DataChannelInit{
		Ordered: new(false), MaxRetransmits: new(uint16(0)), Negotiated: new(true), ID: new(uint16(channelID)),
	})
	if err != nil {
		_ = peer.Close() // return the other error
		return nil, err
	}
	peer.OnICECandidate(func(c *pion.ICECandidate) {
		if c != nil {
			j := c.ToJSON()
			call.candidate(candidate{j.Candidate, j.SDPMid, j.SDPMLineIndex, j.UsernameFragment})
		}
	})
	peer.OnConnectionStateChange(func(s pion.PeerConnectionState) {
		switch s {
		case pion.PeerConnectionStateConnected:
			call.state(pathConnected)
		case pion.PeerConnectionStateDisconnected:
			call.state(pathInterrupted)
		case pion.PeerConnectionStateFailed, pion.PeerConnectionStateClosed:
			call.state(pathFailed)
		}
	})
	// Our own peers never open another channel. Each one would take a goroutine and 64 KiB, and there could be 65,534.
	peer.OnDataChannel(func(*pion.DataChannel) { _ = peer.Close() })
	channel.OnOpen(func() { call.open(true) })
	channel.OnClose(func() { call.open(false) })
	channel.OnMessage(func(m pion.DataChannelMessage) { call.datagram(m.Data, time.Now()) })
	return &nativeConnection{peer, channel}, nil
}

func (c *nativeConnection) offer(restart bool) (string, error) {
	o, err := c.peer.CreateOffer(&pion.OfferOptions{ICERestart: restart})
	if err != nil {
		return "", err
	}
	return o.SDP, c.peer.SetLocalDescription(o)
}

func (c *nativeConnection) answer(sdp string) (string, error) {
	if err := c.peer.SetRemoteDescription(pion.SessionDescription{Type: pion.SDPTypeOffer, SDP: sdp}); err != nil {
		return "", err
	}
	a, err := c.peer.CreateAnswer(nil)
	if err != nil {
		return "", err
	}
	return a.SDP, c.peer.SetLocalDescription(a)
}

func (c *nativeConnection) accept(sdp string) error {
	return c.peer.SetRemoteDescription(pion.SessionDescription{Type: pion.SDPTypeAnswer, SDP: sdp})
}

func (c *nativeConnection) add(way *candidate) error {
	return c.peer.AddICECandidate(pion.ICECandidateInit{
		Candidate: way.Text, SDPMid: way.Mid, SDPMLineIndex: way.Line, UsernameFragment: way.Fragment,
	})
}

func (c *nativeConnection) serve(m *maker) {
	_ = c.peer.SetConfiguration(m.cfg) // an error does not matter: a closed connection needs no servers
}

func (c *nativeConnection) send(b []byte) error {
	if c.channel.BufferedAmount() > maxBuffered {
		return ErrCongested
	}
	if c.channel.Send(b) != nil { // Send copies the bytes
		return ErrNotConnected
	}
	return nil
}

func (c *nativeConnection) close() { _ = c.peer.GracefulClose() } // nothing can be done about an error
