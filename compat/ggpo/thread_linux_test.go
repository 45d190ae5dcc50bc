package ggpo_test

import "syscall"

// thread returns the number of the thread.
func thread() int { return syscall.Gettid() }
