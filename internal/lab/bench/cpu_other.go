//go:build !unix

package bench

import "time"

// processorTime returns 0: this system's processor time is not read.
func processorTime() time.Duration { return 0 }
