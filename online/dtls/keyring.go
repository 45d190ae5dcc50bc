package dtls

import (
	"maps"
	"net/netip"
)

// keyring has the keys of the machines that are trusted: of all that have the token, or of the owners of fingerprints.
type keyring struct {
	own       *Identity
	everybody *pair // the pair of the token, for all addresses; or nil
	keys      map[keyID]*pair
	pins      map[netip.AddrPort]*pair // the pairs of addresses that have their own
}

func newKeyring(cfg *Config) keyring {
	k := keyring{own: cfg.Identity, keys: map[keyID]*pair{}, pins: map[netip.AddrPort]*pair{}}
	if cfg.Token != nil {
		k.own, k.everybody = fromToken(cfg.Token)
		k.keys[k.everybody.id] = k.everybody
	}
	return k
}

// trust adds the owner of a fingerprint. It does nothing with a token, or for our own fingerprint.
func (k *keyring) trust(f Fingerprint, at []netip.AddrPort) {
	if k.everybody != nil || f == k.own.fingerprint {
		return
	}
	p := pairOf(k.own.fingerprint, f)
	if known := k.keys[p.id]; known != nil {
		p = known
	}
	k.keys[p.id] = p
	for _, a := range at {
		k.pins[unmap(a)] = p
	}
}

// distrust removes the owner of a fingerprint, and returns the pair, or nil if it was not trusted.
func (k *keyring) distrust(f Fingerprint) *pair {
	if k.everybody != nil {
		return nil
	}
	id := pairOf(k.own.fingerprint, f).id
	gone := k.keys[id]
	delete(k.keys, id)
	maps.DeleteFunc(k.pins, func(_ netip.AddrPort, p *pair) bool { return p == gone })
	return gone
}

// at returns the pair that is expected at an address, or nil.
func (k *keyring) at(a netip.AddrPort) *pair {
	if k.everybody != nil {
		return k.everybody
	}
	return k.pins[a]
}

// admits reports whether a machine with this pair may be at an address.
func (k *keyring) admits(p *pair, at netip.AddrPort) bool {
	pinned := k.pins[at]
	return pinned == nil || pinned == p
}
