package layout

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"familiar/web/visitor"
	"familiar/web/wording"
)

// frame is what the parts of a page need to know about the request.
type frame struct {
	now    time.Time
	zone   *time.Location
	theme  string
	notice *Notice
	words  *wording.Tongue
}

type frameKey struct{}

func frameOf(ctx context.Context) frame {
	f, _ := ctx.Value(frameKey{}).(frame)
	if f.zone == nil {
		f.zone = time.UTC
	}
	if f.words == nil {
		f.words = tongues()[wording.English]
	}
	return f
}

func (s *Shell) frame(w http.ResponseWriter, r *http.Request, reader Reader) frame {
	f := frame{now: s.Now(), zone: s.Zone, theme: theme(r), words: tongues()[reader.Language]}
	if reader.Zone != nil {
		f.zone = reader.Zone
	}
	if !onlyLive(r.Context()) {
		f.notice = takeNotice(w, r)
	}
	return f
}

// themeCookie holds which theme somebody chose. It is not secret.
const themeCookie = "familiar_theme"

// theme returns "light" or "dark" if somebody chose one, "" for that of their system.
func theme(r *http.Request) string {
	if c, err := r.Cookie(themeCookie); err == nil && (c.Value == "light" || c.Value == "dark") {
		return c.Value
	}
	return ""
}

// otherTheme returns what the theme button chooses next: system, light, dark.
func otherTheme(now string) string {
	switch now {
	case "":
		return "dark"
	case "dark":
		return "light"
	}
	return "system"
}

// MountTheme has the theme chosen by everybody who signed in.
func (s *Shell) MountTheme() {
	s.handle("POST /theme", chooseTheme, visitor.Operator, visitor.Viewer)
	s.handle("POST "+ownPath+"/theme", chooseTheme, visitor.Person)
}

// chooseTheme answers POST /theme.
func chooseTheme(w http.ResponseWriter, r *http.Request) error {
	c := &http.Cookie{Name: themeCookie, Value: r.FormValue("theme"), Path: "/", MaxAge: 400 * 24 * 3600, HttpOnly: true, SameSite: http.SameSiteStrictMode}
	if c.Value != "light" && c.Value != "dark" {
		c.Value, c.MaxAge = "", -1
	}
	http.SetCookie(w, c)
	http.Redirect(w, r, localPath(r.FormValue("back")), http.StatusSeeOther)
	return nil
}

// localPath returns a path of this dashboard, "/" for anything else, so that no form sends people elsewhere.
func localPath(back string) string {
	u, err := url.Parse(back)
	if err != nil || u.Scheme != "" || u.Host != "" || len(u.Path) == 0 || u.Path[0] != '/' || len(back) > 1 && (back[1] == '/' || back[1] == '\\') {
		return "/"
	}
	return u.RequestURI()
}

// csrf returns the token for a form on the page.
func csrf(ctx context.Context) string { return visitor.From(ctx).CSRF }

// mayPost reports whether who looks may change anything at all on the page.
func mayPost(ctx context.Context) bool {
	return csrf(ctx) != "" && visitor.From(ctx).Role != visitor.Viewer && !onlyLive(ctx)
}

// MayChange reports whether who looks may change what the page shows, so that pages leave out forms that would be refused.
func MayChange(ctx context.Context) bool { return visitor.From(ctx).MayChange() && !onlyLive(ctx) }

// Size words a number of bytes.
func Size(bytes int64) string { return humanize.IBytes(uint64(max(bytes, 0))) }

// Number formats a count with separators.
func Number[N ~int | ~int64](n N) string { return humanize.Comma(int64(n)) }

// Percent formats a share of 0–1.
func Percent(share float64) string { return strconv.Itoa(int(share*100+0.5)) + " %" }

// exact is how a time is written with everything that is known of it, in all languages.
const exact = "2006-01-02 15:04:05 -0700"

// Moment words a time: the day unless it is today, and the minute.
func Moment(ctx context.Context, t time.Time) string {
	f := frameOf(ctx)
	t = t.In(f.zone)
	now := f.now.In(f.zone)
	switch minute := t.Format("15:04"); {
	case t.Year() == now.Year() && t.YearDay() == now.YearDay():
		return f.words.Say("today", "time", minute)
	case t.Year() == now.Year():
		return dated(f, "date.short", t) + " " + minute
	default:
		return dated(f, "date", t) + " " + minute
	}
}

// Day words a date without a time.
func Day(ctx context.Context, t time.Time) string {
	f := frameOf(ctx)
	return dated(f, "date", t.In(f.zone))
}

// dated words a day as the wording under key has it.
func dated(f frame, key string, t time.Time) string {
	month := ""
	if months := strings.Fields(f.words.Say("months")); len(months) == 12 {
		month = months[t.Month()-1]
	}
	return f.words.Say(key, "day", t.Day(), "month", month, "year", t.Year())
}

// Now returns the time at which the page is written, in the zone of the page.
func Now(ctx context.Context) time.Time { f := frameOf(ctx); return f.now.In(f.zone) }

// Path joins the parts of a path, each escaped, and adds a query if there is one.
func Path(query url.Values, parts ...string) string {
	path := ""
	for _, p := range parts {
		path += "/" + url.PathEscape(p)
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path
}

// Of returns the path of a page of a persona: /p/KEY/part/part.
func Of(persona string, parts ...string) string {
	return Path(nil, append([]string{"p", persona}, parts...)...)
}
