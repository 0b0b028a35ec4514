package command

import "testing"

func TestZonesAreFoundByNameAndCity(t *testing.T) {
	for said, want := range map[string]string{
		"Europe/Lisbon": "Europe/Lisbon", "europe/lisbon": "Europe/Lisbon", "lisbon": "Europe/Lisbon", "New York": "America/New_York",
		" America/Argentina/Buenos_Aires.": "America/Argentina/Buenos_Aires", "utc": "UTC", "etc/gmt+3": "Etc/GMT+3",
	} {
		if got, near := zoneNamed(said); got != want {
			t.Errorf("%q: %q, near %q", said, got, near)
		}
	}
	for said, want := range map[string]string{
		"Europe/Lisbonn": "Europe/Lisbon", "tokio": "Asia/Tokyo", "Local": "", "": "", "../../etc/passwd": "", "etc/../../passwd": "",
		"Xyzzyplugh": "", "CET+1": "",
	} {
		if got, near := zoneNamed(said); got != "" || near != want {
			t.Errorf("%q: %q, near %q, want %q", said, got, near, want)
		}
	}
}
