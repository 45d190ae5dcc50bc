// Package ggpo lets games that were written for a port of GGPO to Go play with Tickback.
package ggpo
