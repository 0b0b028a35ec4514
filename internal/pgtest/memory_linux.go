package pgtest

import (
	"os"
	"syscall"
)

const (
	// sharedMemory is a directory in memory, where files are made and removed several times as fast as on a disk.
	sharedMemory = "/dev/shm"
	// sharedMemoryNeeded is the free space in bytes below which it is not used: a container often has little.
	sharedMemoryNeeded = 4 << 30
)

// memoryDirectory returns a directory in memory with enough space, "" if there is none.
func memoryDirectory() string {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(sharedMemory, &stat); err != nil || stat.Bavail*uint64(stat.Bsize) < sharedMemoryNeeded { //nolint:gosec // a size is positive
		return ""
	}
	dir, err := os.MkdirTemp(sharedMemory, "familiar-pg-") // may it be written to?
	if err != nil || os.Remove(dir) != nil {
		return ""
	}
	return sharedMemory
}
