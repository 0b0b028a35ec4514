package config

import (
	"strings"
	"testing"
)

func TestCareContacts(t *testing.T) {
	c, err := Load(home(t, "care:\n  country: DE\n  contacts:\n    US: [\"Emergency: 911\", \"Campus: 555\"]\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Care.Contacts.ByCountry()["US"]; c.Care.Country != "DE" || len(got) != 2 || got[1] != "Campus: 555" {
		t.Errorf("%+v", c.Care)
	}
	if got := c.Care.Contacts.String(); got != `{US: ["Emergency: 911", "Campus: 555"]}` {
		t.Error(got)
	}
	_, err = Load(home(t, "care:\n  country: Germany\n  contacts: {usa: [x], FR: []}\n"), nil)
	for _, want := range []string{"care.country", "usa", "FR"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no word of %s: %v", want, err)
		}
	}
}
