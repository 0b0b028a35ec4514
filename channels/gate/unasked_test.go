package gate

import (
	"testing"
	"time"
)

// free is somebody to whom the persona may speak unasked.
func free() (Unasked, Standing) {
	u := Unasked{
		Quiet: Hours{From: 22 * time.Hour, Until: 8 * time.Hour}, Daily: 2, Gap: 24 * time.Hour,
		Within: map[string]time.Duration{"desk": 0, "shy": 7 * 24 * time.Hour},
	}
	wrote := noon.Add(-30 * time.Hour)
	return u, Standing{Now: noon, Channel: "desk", Wrote: wrote, WroteHere: wrote, Answered: true, Today: 1}
}

func TestUnaskedEveryRuleOfTheGateHoldsByItself(t *testing.T) {
	for _, c := range []struct {
		name  string
		tweak func(u *Unasked, s *Standing)
		want  Reason
	}{
		{"nothing speaks against it", func(*Unasked, *Standing) {}, Allowed},
		{"never wrote first", func(_ *Unasked, s *Standing) { s.WroteHere = time.Time{} }, NeverWrote},
		{"opted out", func(_ *Unasked, s *Standing) { s.Quiet = true }, OptedOut},
		{"blocked", func(_ *Unasked, s *Standing) { s.Unwelcome = true }, NotWelcome},
		{"a channel that allows none", func(_ *Unasked, s *Standing) { s.Channel = "console" }, NotHere},
		{"lately enough for a channel with a bound", func(_ *Unasked, s *Standing) { s.Channel = "shy" }, Allowed},
		{"too long ago for it", func(_ *Unasked, s *Standing) { s.Channel, s.WroteHere = "shy", noon.AddDate(0, 0, -8) }, NotHere},
		{"no answer last time", func(_ *Unasked, s *Standing) { s.Spoke, s.Answered = noon.AddDate(0, 0, -9), false }, NoAnswer},
		{"answered last time", func(_ *Unasked, s *Standing) { s.Spoke = noon.AddDate(0, 0, -9) }, Allowed},
		{"wrote an hour short of the gap", func(_ *Unasked, s *Standing) { s.Wrote = noon.Add(-23 * time.Hour) }, TooSoon},
		{"wrote the gap ago", func(_ *Unasked, s *Standing) { s.Wrote = noon.Add(-24 * time.Hour) }, Allowed},
		{"spoke just now", func(u *Unasked, s *Standing) { u.Gap, s.Spoke = 0, noon.Add(-spacing+time.Minute) }, TooSoon},
		{"spoke a while ago", func(u *Unasked, s *Standing) { u.Gap, s.Spoke = 0, noon.Add(-spacing) }, Allowed},
		{"enough for today", func(_ *Unasked, s *Standing) { s.Today = 2 }, SaidEnough},
		{"a cap of none", func(u *Unasked, s *Standing) { u.Daily, s.Today = 0, -1 }, SaidEnough},
		{"just before the night", func(_ *Unasked, s *Standing) { s.Now = noon.Add(10*time.Hour - time.Minute) }, Allowed},
		{"the night begins", func(_ *Unasked, s *Standing) { s.Now = noon.Add(10 * time.Hour) }, InQuietHours},
		{"after midnight", func(_ *Unasked, s *Standing) { s.Now = noon.Add(15 * time.Hour) }, InQuietHours},
		{"the night is over", func(_ *Unasked, s *Standing) { s.Now = noon.Add(20 * time.Hour) }, Allowed},
		{"night where they live", func(_ *Unasked, s *Standing) { s.Now = noon.In(time.FixedZone("far", 11*3600)) }, InQuietHours},
		{"a nap", func(u *Unasked, s *Standing) { u.Quiet = Hours{12 * time.Hour, 13 * time.Hour} }, InQuietHours},
		{"after a nap", func(u *Unasked, s *Standing) { u.Quiet = Hours{11 * time.Hour, 12 * time.Hour} }, Allowed},
		{"no quiet hours", func(u *Unasked, s *Standing) { u.Quiet, s.Now = Hours{}, noon.Add(15*time.Hour) }, Allowed},
		{"something waits there", func(_ *Unasked, s *Standing) { s.Busy = true }, Busy},
		{"as it comes", func(u *Unasked, _ *Standing) { *u = Unasked{} }, NotHere},
	} {
		u, s := free()
		c.tweak(&u, &s)
		if got := u.Judge(s); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
