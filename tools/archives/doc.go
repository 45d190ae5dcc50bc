// Command archives puts what a release has to offer into a folder: an archive of the command line and the page for each
// platform, a bill of materials for each, and the checksums of all. The same commit makes the same bytes.
//
//	archives -version v1.2.3 -time 1700000000 -o dist -page bin/web -files LICENSE,README.md linux/amd64=bin/linux/tickback ...
//
// scripts/archives.sh builds what it needs, and runs it.
package main
