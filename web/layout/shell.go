// Package layout is the frame of all pages of the dashboard: navigation, notices, error pages, and the parts that pages are made
// of. A page hands its content to a Shell, which writes it as a whole page or, for live updates, only the parts that change.
package layout

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/a-h/templ"

	"familiar/memory"
	"familiar/web/visitor"
	"familiar/web/wording"
)

// Persona is one persona in the navigation.
type Persona struct{ Key, Name string }

// Section is a part of the dashboard, as its navigation shows it.
type Section string

// The sections.
const (
	Home          Section = "home"
	People        Section = "people"
	Memory        Section = "memory"
	Conversations Section = "conversations"
	Mind          Section = "mind"
	Character     Section = "character"
	Simulate      Section = "simulate"
	// Own is the page of one person about themselves. It has no navigation.
	Own Section = "own"
)

// Page is what one page shows.
type Page struct {
	Title   string
	Section Section
	// Persona is the key of the persona that the page is about, "" for the whole home.
	Persona string
	Body    templ.Component
	// Live names the fragments of Body (templ.Fragment) that are written anew when the store changes. Each is one element whose id
	// is the fragment's name. They contain no forms, because they are written once for all who look.
	Live []string
	// Wide reports that the content uses the whole width of the window.
	Wide bool
	// Reader is who the page is written for.
	Reader Reader
}

// Reader is how somebody reads a page. The zero Reader reads English, and times in the zone of the Shell.
type Reader struct {
	// Language is one of wording.Tags.
	Language string
	// Zone is the zone of the times on the page.
	Zone *time.Location
}

// Shell writes pages. Its fields do not change once it serves.
type Shell struct {
	// Personas are those that are served, the configured one first.
	Personas func() []Persona
	Now      func() time.Time
	// Zone is the zone of the times on pages.
	Zone *time.Location
	Log  *slog.Logger

	mux http.ServeMux
}

// Handler is what answers a route. What it returns as an error becomes an error page.
type Handler func(w http.ResponseWriter, r *http.Request) error

// Get has h answer GET requests of operators and viewers. A pattern that contains {persona} is answered for served personas only.
func (s *Shell) Get(pattern string, h Handler) {
	s.handle("GET "+pattern, h, visitor.Operator, visitor.Viewer)
}

// Post has h answer POST requests of operators, which change something.
func (s *Shell) Post(pattern string, h Handler) { s.handle("POST "+pattern, h, visitor.Operator) }

// GetOwn and PostOwn have h answer the requests of a person about themselves.
func (s *Shell) GetOwn(pattern string, h Handler) { s.handle("GET "+pattern, h, visitor.Person) }

// PostOwn is like GetOwn for requests that change something.
func (s *Shell) PostOwn(pattern string, h Handler) { s.handle("POST "+pattern, h, visitor.Person) }

func (s *Shell) handle(pattern string, h Handler, roles ...visitor.Role) {
	s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		who := visitor.From(r.Context())
		if !slices.Contains(roles, who.Role) {
			s.fail(w, r, refusal(who))
			return
		}
		if key := r.PathValue("persona"); key != "" && !s.serves(key) {
			s.fail(w, r, memory.ErrNotFound)
			return
		}
		if err := h(w, r); err != nil {
			s.fail(w, r, err)
		}
	})
}

func (s *Shell) serves(key string) bool {
	return slices.ContainsFunc(s.Personas(), func(p Persona) bool { return p.Key == key })
}

// ServeHTTP answers with the page of a request.
func (s *Shell) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, pattern := s.mux.Handler(r); pattern == "" {
		s.fail(w, r, memory.ErrNotFound)
		return
	}
	s.mux.ServeHTTP(w, r)
}

// Write answers a request with a page.
func (s *Shell) Write(w http.ResponseWriter, r *http.Request, p Page) error {
	return s.WriteAs(w, r, http.StatusOK, p)
}

// WriteAs is Write with another status. The page is rendered before anything is sent, so that an error in the middle gives an error
// page and no half page.
func (s *Shell) WriteAs(w http.ResponseWriter, r *http.Request, status int, p Page) error {
	ctx := context.WithValue(r.Context(), frameKey{}, s.frame(w, r, p.Reader))
	var page bytes.Buffer
	var err error
	if onlyLive(ctx) {
		err = templ.RenderFragments(ctx, &page, p.Body, anyOf(p.Live)...)
	} else {
		err = document(s, p, r).Render(ctx, &page)
	}
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, err = page.WriteTo(w)
	if err != nil {
		s.Log.Debug("send a page", "path", r.URL.Path, "error", err)
	}
	return nil
}

func anyOf(names []string) (all []any) {
	for _, n := range names {
		all = append(all, n)
	}
	return all
}

type liveKey struct{}

// OnlyLive returns ctx for a request of which only the live parts of the page are written.
func OnlyLive(ctx context.Context) context.Context { return context.WithValue(ctx, liveKey{}, true) }

func onlyLive(ctx context.Context) bool { return ctx.Value(liveKey{}) != nil }

// Errors that become pages of their own.
var (
	errSignIn    = errors.New("sign in first")
	errForbidden = errors.New("not allowed")
)

func refusal(who visitor.Visitor) error {
	if who.Role == "" {
		return errSignIn
	}
	return errForbidden
}

// problem is what an error page says.
type problem struct {
	Status      int
	Title, Help string
	// Reader is who is told.
	Reader Reader
}

// told is an error whose page is written for a reader.
type told struct {
	error
	to Reader
}

func (t told) Unwrap() error { return t.error }

// Tell returns err as one whose page is written for a reader, nil for nil.
func Tell(to Reader, err error) error {
	if err == nil {
		return nil
	}
	return told{err, to}
}

// invalid is an error about what somebody entered.
type invalid struct{ error }

func (i invalid) Unwrap() error { return i.error }

// Invalid marks err as a mistake in what was entered. The error page shows it.
func Invalid(err error) error { return invalid{err} }

// problemOf words an error for the person who looks. What went wrong inside is for the log.
func problemOf(err error) problem {
	var to Reader
	if t, ok := errors.AsType[told](err); ok {
		to = t.to
	}
	words := tongues()[cmp.Or(to.Language, wording.English)]
	as := func(status int, key string, fill ...any) problem {
		return problem{status, words.Say(key), words.Say(key+".help", fill...), to}
	}
	if wrong, ok := errors.AsType[invalid](err); ok {
		return as(http.StatusUnprocessableEntity, "invalid", "why", wrong.Error())
	}
	if long, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return as(http.StatusRequestEntityTooLarge, "long", "size", Size(long.Limit))
	}
	switch {
	case errors.Is(err, errSignIn):
		return as(http.StatusUnauthorized, "sign-in")
	case errors.Is(err, errForbidden):
		return as(http.StatusForbidden, "forbidden")
	case errors.Is(err, memory.ErrNotFound):
		return as(http.StatusNotFound, "missing")
	}
	return as(http.StatusInternalServerError, "failed")
}

// fail answers with an error page.
func (s *Shell) fail(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return // nobody waits for it
	}
	p := problemOf(err)
	if p.Status == http.StatusInternalServerError {
		s.Log.Error("show a page of the dashboard", "path", r.URL.Path, "error", err)
	}
	if onlyLive(r.Context()) {
		w.WriteHeader(p.Status)
		return
	}
	section := Home
	if visitor.From(r.Context()).Role == visitor.Person {
		section = Own
	}
	if err := s.WriteAs(w, r, p.Status, Page{Title: p.Title, Section: section, Body: errorBody(p), Reader: p.Reader}); err != nil {
		s.Log.Error("show an error page of the dashboard", "error", err)
		http.Error(w, p.Title, p.Status)
	}
}
