//go:build linux || darwin

package machine

import "golang.org/x/sys/unix"

// FreeDisk returns how many bytes an ordinary user can still write to the file system of path, 0 and false if the system
// does not say.
func FreeDisk(path string) (free int64, known bool) {
	var info unix.Statfs_t
	if unix.Statfs(path, &info) != nil {
		return 0, false
	}
	return int64(info.Bavail) * int64(info.Bsize), true //nolint:gosec,unconvert // the types differ by platform
}
