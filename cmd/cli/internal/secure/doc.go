// Package secure has the flag --secure: the token with which a match is encrypted, the transport that encrypts, and
// the reasons why others cannot be understood.
package secure
