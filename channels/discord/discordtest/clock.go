package discordtest

import "time"

// now returns the server's time.
func now() time.Time { return time.Now() } //nolint:forbidigo // Discord's time enters from nowhere
