package claim

import (
	"maps"
	"slices"
)

// Zones are the names of all timezones places are known for.
func Zones() []string { return slices.Collect(maps.Values(zones())) }
