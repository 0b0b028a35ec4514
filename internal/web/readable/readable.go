// Package readable makes what a web server sends into text that can be quoted: the main content of a page as Markdown, without
// scripts, pictures, navigation, and what readers do not see. Pure: it fetches nothing.
package readable

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
)

// MaxText is the maximum length of a page's Markdown in bytes. The rest of a longer page is cut off.
const MaxText = 200_000

// maxLine is the maximum number of runes of a title, a site's name or an author.
const maxLine = 200

// ErrUnreadable is wrapped by the error of everything that cannot be made into text.
var ErrUnreadable = errors.New("it cannot be read")

// Page is what a reader of a page sees. Everything in it was written by strangers.
type Page struct {
	Title    string
	Site     string // the site's name for itself, else its host
	Author   string
	Language string // as the page says it, such as "de-AT"
	// Published is when the page says that it was published, zero if it does not say, or says a time that cannot be.
	Published time.Time
	// Address is where the page was found after redirects.
	Address string
	Fetched time.Time
	// Markdown is the content.
	Markdown string
	// Cut reports that the content was longer than MaxText.
	Cut bool
}

// Readable returns an error that says why if content of this type is never read. The type is that of the header, which may
// be missing.
func Readable(contentType string) error {
	_, err := kindOf(contentType)
	return err
}

// kind is a way of reading content.
type kind int

const (
	unknown kind = iota // no type was sent: the content decides
	markup
	plain
	data
)

func kindOf(contentType string) (kind, error) {
	if strings.TrimSpace(contentType) == "" {
		return unknown, nil
	}
	mediaType, _, err := mime.ParseMediaType(contentType)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		return unknown, fmt.Errorf("%w: its content type is not valid", ErrUnreadable)
	}
	switch mediaType {
	case "text/html", "application/xhtml+xml":
		return markup, nil
	case "text/plain", "text/markdown", "text/x-markdown", "text/csv":
		return plain, nil
	case "application/json", "application/ld+json", "application/problem+json", "text/json":
		return data, nil
	case "application/pdf":
		return unknown, fmt.Errorf("%w: it is a PDF file; look for a page that says the same", ErrUnreadable)
	case "application/octet-stream":
		return unknown, nil
	}
	return unknown, fmt.Errorf("%w: it is %.80q; only pages, plain text, Markdown and JSON are read", ErrUnreadable, mediaType)
}

// Convert returns the page that body is. contentType is the header of the response, address where it was found. The
// libraries that read pages were not written for hostile ones: if one panics, the page is unreadable.
func Convert(body []byte, contentType string, address *url.URL, fetched time.Time) (page Page, err error) {
	defer func() {
		if recover() != nil {
			page, err = Page{}, fmt.Errorf("%w: its content is not valid", ErrUnreadable)
		}
	}()
	k, err := kindOf(contentType)
	if err != nil {
		return Page{}, err
	}
	if k, err = sniff(k, body); err != nil {
		return Page{}, err
	}
	page = Page{Site: address.Hostname(), Address: bare(address), Fetched: fetched}
	switch k {
	case markup:
		err = page.fromMarkup(decode(body, contentType), address)
	case data:
		page.Markdown = quoteJSON(body)
	default:
		page.Markdown = decode(body, contentType)
	}
	if err != nil {
		return Page{}, err
	}
	page.clean()
	if page.Markdown == "" {
		return Page{}, fmt.Errorf("%w: it shows no text without running its scripts", ErrUnreadable)
	}
	return page, nil
}

// sniff corrects what the header says by what the content is: a server that calls a picture a page is not believed.
func sniff(declared kind, body []byte) (kind, error) {
	found, _, _ := strings.Cut(http.DetectContentType(body), ";")
	switch {
	case found == "text/html" && declared == unknown:
		return markup, nil
	case strings.HasPrefix(found, "text/"):
		return declared, nil
	case found == "application/octet-stream" && declared != unknown && bytes.IndexByte(body, 0) < 0:
		return declared, nil
	case len(body) >= 2 && (body[0] == 0xFE && body[1] == 0xFF || body[0] == 0xFF && body[1] == 0xFE): // UTF-16
		return declared, nil
	}
	return unknown, fmt.Errorf("%w: its content is %s, not text", ErrUnreadable, found)
}

// decode returns body as UTF-8. The byte order mark decides, then the header, then what the page says.
func decode(body []byte, contentType string) string {
	encoding, name, _ := charset.DetermineEncoding(body, contentType)
	if name == "windows-1252" && utf8.Valid(body) { // what is assumed if nothing is said
		return string(body)
	}
	decoded, err := encoding.NewDecoder().Bytes(body)
	if err != nil {
		decoded = body
	}
	return strings.ToValidUTF8(string(decoded), "\uFFFD")
}

// quoteJSON returns JSON, indented, as a block of code. What is not valid is quoted as it is.
func quoteJSON(body []byte) string {
	var indented bytes.Buffer
	if json.Indent(&indented, body, "", "  ") != nil || indented.Len() > MaxText {
		indented.Reset()
		indented.Write(body)
	}
	text := strings.ToValidUTF8(strings.TrimSpace(indented.String()), "\uFFFD")
	if text == "" {
		return ""
	}
	text, _ = cut(text, MaxText-64) // so that the fence is not cut off
	fence := "```"
	for strings.Contains(text, fence) && len(fence) < 32 {
		fence += "`"
	}
	return fence + "json\n" + text + "\n" + fence
}

// clean bounds every field and removes what no reader sees.
func (p *Page) clean() {
	for _, line := range []*string{&p.Title, &p.Site, &p.Author, &p.Language} {
		*line = Line(*line, maxLine)
	}
	p.Markdown, p.Cut = cut(strings.TrimSpace(visible(p.Markdown)), MaxText)
	p.Published = p.Published.UTC()
	if earliest := time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC); p.Published.Before(earliest) || p.Published.After(p.Fetched.AddDate(0, 0, 1)) {
		p.Published = time.Time{}
	}
}

// visible removes control characters and invisible ones, which could hide instructions or turn text around.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return r
		case unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Co, unicode.Other_Default_Ignorable_Code_Point):
			return -1
		}
		return r
	}, text)
}

// Line returns text of strangers as one line of at most limit runes, without what no reader sees.
func Line(text string, limit int) string {
	runes := []rune(strings.Join(strings.Fields(visible(strings.ToValidUTF8(text, "\uFFFD"))), " "))
	if len(runes) > limit {
		runes = append(runes[:limit-1], '…')
	}
	return string(runes)
}

// cut returns at most limit bytes of text and whether there are more.
func cut(text string, limit int) (string, bool) {
	if len(text) <= limit {
		return text, false
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return strings.TrimSpace(text[:limit]), true
}

// bare returns the address without its fragment, which names a place on the page.
func bare(address *url.URL) string {
	copied := *address
	copied.Fragment, copied.RawFragment, copied.User = "", "", nil
	return copied.String()
}
