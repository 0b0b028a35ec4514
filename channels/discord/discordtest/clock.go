package discordtest

import "time"

// now is the network's own clock.
func now() time.Time { return time.Now() } //nolint:forbidigo // Discord's time enters from nowhere
