//go:build !linux

package ggpo_test

// thread returns 0: threads have no number here.
func thread() int { return 0 }
