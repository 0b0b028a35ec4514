package layout

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"familiar/web/visitor"
)

// Notice tells on the next page what was done.
type Notice struct {
	Text string
	// Undo is the path that takes it back when it is posted to with Fields, "" if that is impossible.
	Undo   string     `json:",omitempty"`
	Fields url.Values `json:",omitempty"`
}

// noticeCookie carries a notice to the next page. It is signed with the CSRF token, so that nobody else can put a button there.
const noticeCookie = "familiar_notice"

// maxNotice is how long a notice may be as a cookie, in bytes.
const maxNotice = 3 << 10

// Done answers a POST request: it leads to the page at path, which shows the notice once.
func Done(w http.ResponseWriter, r *http.Request, path string, n Notice) error {
	http.SetCookie(w, &http.Cookie{Name: noticeCookie, Value: seal(r, n), Path: "/", MaxAge: 60, HttpOnly: true, SameSite: http.SameSiteStrictMode})
	http.Redirect(w, r, localPath(path), http.StatusSeeOther)
	return nil
}

func seal(r *http.Request, n Notice) string {
	if runes := []rune(n.Text); len(runes) > 500 {
		n.Text = string(runes[:500]) + "…"
	}
	body, err := json.Marshal(n)
	if err != nil || len(body) > maxNotice {
		body, _ = json.Marshal(Notice{Text: "Done."}) // a plain text always encodes
	}
	return base64.RawURLEncoding.EncodeToString(body) + "." + base64.RawURLEncoding.EncodeToString(sign(r, body))
}

func sign(r *http.Request, body []byte) []byte {
	h := hmac.New(sha256.New, []byte("notice\x00"+visitor.From(r.Context()).CSRF))
	h.Write(body)
	return h.Sum(nil)
}

// takeNotice returns the notice of a request and removes it, nil if there is none or somebody else made it.
func takeNotice(w http.ResponseWriter, r *http.Request) *Notice {
	c, err := r.Cookie(noticeCookie)
	if err != nil || visitor.From(r.Context()).CSRF == "" {
		return nil
	}
	http.SetCookie(w, &http.Cookie{Name: noticeCookie, Path: "/", MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteStrictMode})
	text, mac, _ := strings.Cut(c.Value, ".")
	body, err := base64.RawURLEncoding.DecodeString(text)
	signature, bad := base64.RawURLEncoding.DecodeString(mac)
	var n Notice
	if err != nil || bad != nil || !hmac.Equal(signature, sign(r, body)) || json.Unmarshal(body, &n) != nil {
		return nil
	}
	return &n
}
