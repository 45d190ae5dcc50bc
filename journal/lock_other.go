//go:build !unix || solaris || illumos || aix

package journal

import "os"

// lock does nothing where files cannot be locked so.
func lock(*os.File) error { return nil }
