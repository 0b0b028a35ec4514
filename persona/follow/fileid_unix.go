//go:build unix

package follow

import (
	"fmt"
	"io/fs"
	"syscall"
)

// fileID returns what distinguishes a file from all others on this machine, whatever its name.
func fileID(info fs.FileInfo) string {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d:%d", s.Dev, s.Ino)
}
