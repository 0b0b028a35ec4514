package zones_test

import (
	"testing"
	"time"

	"familiar/memory/understand/zones"
)

func TestZoneIsReadOnlyWhereItIsCertain(t *testing.T) {
	lisbon, err := time.LoadLocation("Europe/Lisbon")
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 1, 15, 1, 5, 0, 0, time.UTC).In(lisbon)
	for text, want := range map[string]string{
		"I'm in Berlin":                            "Europe/Berlin",
		"Hi, I am in Berlin right now.":            "Europe/Berlin",
		"I live in New York City now":              "America/New_York",
		"I moved to Tokyo last week.":              "Asia/Tokyo",
		"we're back in London, it rains":           "Europe/London",
		"greetings from Helsinki!":                 "Europe/Helsinki",
		"My timezone is europe/oslo":               "Europe/Oslo",
		"I'm in Berlin. My exam is on Friday":      "Europe/Berlin",
		"it's 3am here and I can't sleep":          "Etc/GMT-2",
		"it is 20:10 here":                         "Etc/GMT+5",
		"it's 1am here":                            "", // the same time as in their own timezone
		"it's 3 here":                              "",
		"is it 3am here?":                          "",
		"I'm in Berlin next week":                  "",
		"If I'm in Berlin, I'll call":              "",
		"when I'm in Tokyo I eat well":             "",
		"I'm from Paris":                           "",
		"I don't live in Oslo any more":            "",
		"I used to live in Oslo":                   "",
		"I'm in Cordoba":                           "", // two cities have this name
		"My timezone is America/Cordoba":           "America/Cordoba",
		"I'm in Montreal":                          "America/Montreal",
		"My sister lives in Tokyo":                 "",
		"Ann says she is in Tokyo":                 "",
		"I'm in Love":                              "",
		"I'm in Berlin?":                           "",
		"It's 99:99 here":                          "",
		"I was in Rome":                            "",
		"My timezone is Moon/Base, I'm in the bus": "",
	} {
		if got, _ := zones.Of(text, at); got != want {
			t.Errorf("%q: zone %q, want %q", text, got, want)
		}
	}
}

func TestEveryZoneExists(t *testing.T) {
	for _, name := range zones.Names() {
		if _, err := time.LoadLocation(name); err != nil {
			t.Error(err)
		}
	}
}
