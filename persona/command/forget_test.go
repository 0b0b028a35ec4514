package command

import (
	"testing"
	"time"
)

func TestTheLastHoursInEveryLanguage(t *testing.T) {
	now := time.Date(2026, time.January, 5, 18, 0, 0, 0, time.UTC)
	for said, want := range map[string]time.Duration{
		"last hour": time.Hour, "the past 20 minutes": 20 * time.Minute, "last 3 hours": 3 * time.Hour,
		"letzte Stunde": time.Hour, "die letzten 2 Stunden": 2 * time.Hour, "letzte 30 Minuten": 30 * time.Minute,
		"la última hora": time.Hour, "las últimas 2 horas": 2 * time.Hour, "los últimos 5 minutos": 5 * time.Minute,
		"la dernière heure": time.Hour, "les 2 dernières heures": 2 * time.Hour, "les 5 dernières minutes": 5 * time.Minute,
	} {
		if from, _, ok := timeNamed(said, now); !ok || now.Sub(from) != want {
			t.Errorf("%q: from %v, %v", said, from, ok)
		}
	}
	for _, said := range []string{"my last hour at work", "letzte Woche im Büro", "last hourglass", "dernière minutie"} {
		if from, _, ok := timeNamed(said, now); ok {
			t.Errorf("%q: from %v", said, from)
		}
	}
}
