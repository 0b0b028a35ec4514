package backup

import (
	"fmt"
	"syscall"

	"github.com/dustin/go-humanize"
)

// enoughSpace returns an error if the disk of dir lacks the space for size bytes, before they are written in vain.
func enoughSpace(dir string, size int64) error {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(dir, &disk); err != nil {
		return nil //nolint:nilerr // writing reports a full disk as well
	}
	free := disk.Bavail * uint64(disk.Bsize) //nolint:gosec,unconvert // a size, of another type on other systems
	if uint64(size) > free {                 //nolint:gosec // the manifest was checked
		return fmt.Errorf("unpacking it takes %s and %s are free: %w", humanize.Bytes(uint64(size)), humanize.Bytes(free), syscall.ENOSPC) //nolint:gosec // as above
	}
	return nil
}
