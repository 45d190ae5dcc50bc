// Package rom has a game for two that was written for this example, in the language of the console's processor:
// collect.asm. [Assemble] makes of it the file that an emulator reads.
package rom
