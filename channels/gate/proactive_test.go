package gate

import (
	"testing"
	"time"
)

// free returns a person the persona may write to first.
func free() (ProactivePolicy, ContactState) {
	u := ProactivePolicy{
		QuietHours: Hours{From: 22 * time.Hour, Until: 8 * time.Hour}, Daily: 2, MinSilence: 24 * time.Hour,
		Channels: map[string]time.Duration{"desk": 0, "shy": 7 * 24 * time.Hour},
	}
	wrote := noon.Add(-30 * time.Hour)
	return u, ContactState{Now: noon, Channel: "desk", LastWrote: wrote, LastWroteHere: wrote, Answered: true, SentToday: 1}
}

func TestProactiveGateRulesHoldIndependently(t *testing.T) {
	for _, c := range []struct {
		name  string
		tweak func(u *ProactivePolicy, s *ContactState)
		want  Reason
	}{
		{"nothing speaks against it", func(*ProactivePolicy, *ContactState) {}, Allowed},
		{"never wrote first", func(_ *ProactivePolicy, s *ContactState) { s.LastWroteHere = time.Time{} }, NeverWrote},
		{"opted out", func(_ *ProactivePolicy, s *ContactState) { s.OptedOut = true }, OptedOut},
		{"blocked", func(_ *ProactivePolicy, s *ContactState) { s.Blocked = true }, BlockedPersona},
		{"a channel that allows none", func(_ *ProactivePolicy, s *ContactState) { s.Channel = "console" }, ChannelNotAllowed},
		{"lately enough for a channel with a bound", func(_ *ProactivePolicy, s *ContactState) { s.Channel = "shy" }, Allowed},
		{"too long ago for it", func(_ *ProactivePolicy, s *ContactState) { s.Channel, s.LastWroteHere = "shy", noon.AddDate(0, 0, -8) }, ChannelNotAllowed},
		{"no answer last time", func(_ *ProactivePolicy, s *ContactState) { s.LastProactive, s.Answered = noon.AddDate(0, 0, -9), false }, Unanswered},
		{"answered last time", func(_ *ProactivePolicy, s *ContactState) { s.LastProactive = noon.AddDate(0, 0, -9) }, Allowed},
		{"wrote an hour short of the gap", func(_ *ProactivePolicy, s *ContactState) { s.LastWrote = noon.Add(-23 * time.Hour) }, TooSoon},
		{"wrote the gap ago", func(_ *ProactivePolicy, s *ContactState) { s.LastWrote = noon.Add(-24 * time.Hour) }, Allowed},
		{"spoke just now", func(u *ProactivePolicy, s *ContactState) {
			u.MinSilence, s.LastProactive = 0, noon.Add(-spacing+time.Minute)
		}, TooSoon},
		{"spoke a while ago", func(u *ProactivePolicy, s *ContactState) { u.MinSilence, s.LastProactive = 0, noon.Add(-spacing) }, Allowed},
		{"enough for today", func(_ *ProactivePolicy, s *ContactState) { s.SentToday = 2 }, DailyCapReached},
		{"a cap of none", func(u *ProactivePolicy, s *ContactState) { u.Daily, s.SentToday = 0, -1 }, DailyCapReached},
		{"just before the night", func(_ *ProactivePolicy, s *ContactState) { s.Now = noon.Add(10*time.Hour - time.Minute) }, Allowed},
		{"the night begins", func(_ *ProactivePolicy, s *ContactState) { s.Now = noon.Add(10 * time.Hour) }, InQuietHours},
		{"after midnight", func(_ *ProactivePolicy, s *ContactState) { s.Now = noon.Add(15 * time.Hour) }, InQuietHours},
		{"the night is over", func(_ *ProactivePolicy, s *ContactState) { s.Now = noon.Add(20 * time.Hour) }, Allowed},
		{"night where they live", func(_ *ProactivePolicy, s *ContactState) { s.Now = noon.In(time.FixedZone("far", 11*3600)) }, InQuietHours},
		{"a nap", func(u *ProactivePolicy, s *ContactState) { u.QuietHours = Hours{12 * time.Hour, 13 * time.Hour} }, InQuietHours},
		{"after a nap", func(u *ProactivePolicy, s *ContactState) { u.QuietHours = Hours{11 * time.Hour, 12 * time.Hour} }, Allowed},
		{"no quiet hours", func(u *ProactivePolicy, s *ContactState) { u.QuietHours, s.Now = Hours{}, noon.Add(15*time.Hour) }, Allowed},
		{"something waits there", func(_ *ProactivePolicy, s *ContactState) { s.Busy = true }, Busy},
		{"as it comes", func(u *ProactivePolicy, _ *ContactState) { *u = ProactivePolicy{} }, ChannelNotAllowed},
	} {
		u, s := free()
		c.tweak(&u, &s)
		if got := u.Judge(s); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
