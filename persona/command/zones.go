package command

import (
	"slices"
	"strings"
	"time"

	"familiar/internal/spelling"
	"familiar/memory/understand/zones"
)

// zoneNamed returns the timezone that someone names, "Europe/Lisbon", or whose city they name, "new york". If there is
// none, near is the most similar name, or "".
func zoneNamed(said string) (name, near string) {
	said = strings.Join(strings.Fields(strings.Trim(said, ".,!\"' ")), "_")
	if strings.EqualFold(said, "UTC") || strings.EqualFold(said, "GMT") {
		return "UTC", ""
	}
	names := slices.Clone(zones.Names())
	cities := make([]string, len(names))
	low := strings.ToLower(said)
	for i, n := range names {
		full, city := strings.ToLower(n), strings.ToLower(n[strings.LastIndex(n, "/")+1:])
		if low == full || low == city {
			return n, ""
		}
		names[i], cities[i] = full, city
	}
	if offset, fixed := strings.CutPrefix(low, "etc/"); fixed {
		if zone, err := time.LoadLocation("Etc/" + strings.ToUpper(offset)); err == nil {
			return zone.String(), ""
		}
	}
	likest := spelling.Nearest(low, names)
	if likest == "" {
		likest = spelling.Nearest(low, cities)
	}
	for _, n := range zones.Names() {
		if full := strings.ToLower(n); likest != "" && (full == likest || strings.HasSuffix(full, "/"+likest)) {
			return "", n
		}
	}
	return "", ""
}
