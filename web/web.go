// Package web is the dashboard: pages on which an operator sees what personas know, why they said something, how they change and
// what they cost, and on which a person sees what is known about them. It is served by the web server of the process
// (internal/webserver), behind web/signin. The pages are in packages of their own, one per section.
package web

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"familiar/memory"
	"familiar/web/assets"
	"familiar/web/character"
	"familiar/web/conversations"
	"familiar/web/home"
	"familiar/web/layout"
	"familiar/web/live"
	"familiar/web/me"
	"familiar/web/memories"
	"familiar/web/mind"
	"familiar/web/people"
	"familiar/web/simulate"
	"familiar/web/timeline"
)

// Options are what the pages are made from.
type Options struct {
	Store *memory.Store
	// Personas are those that are served, the configured one first.
	Personas func() []layout.Persona
	Now      func() time.Time
	// Zone is the zone of the times on pages.
	Zone *time.Location
	Log  *slog.Logger
	// Reports is the folder with the reports of familiar-lab.
	Reports string
	// Home is the first page.
	Home *home.Pages
	// Memories are the pages on what is remembered. Their store, clock and zone are those above.
	Memories memories.Pages
	// Character is the pages on which personas are edited.
	Character *character.Pages
	// Conversations are the pages on what was said.
	Conversations conversations.Pages
	// Mind are the pages on how a persona thinks.
	Mind mind.Pages
	// People are what the pages about people do.
	People people.Actions
	// Me are what the pages of people about themselves do.
	Me me.Actions
}

// MaxBody is how long a request to the dashboard may be, in bytes: an uploaded card with its picture.
const MaxBody = 32 << 20

// New returns the dashboard. Requests must have a visitor (web/visitor) in their context, which web/signin sees to.
func New(o Options) http.Handler {
	shell := &layout.Shell{Personas: o.Personas, Now: o.Now, Zone: o.Zone, Log: o.Log}
	mount(shell, o)
	mux := http.NewServeMux()
	mux.Handle("GET /live", &live.Hub{
		Pages: shell, Log: o.Log,
		Watch: func(ctx context.Context) (live.Changes, error) { return o.Store.Watch(ctx) },
	})
	mux.Handle("GET "+assets.Prefix, assets.Handler())
	mux.Handle("/", shell)
	return mux
}

// mount mounts the pages, a line for each section.
func mount(shell *layout.Shell, o Options) {
	shell.MountTheme()
	o.Home.Mount(shell)
	o.Memories.Store, o.Memories.Now, o.Memories.Zone = o.Store, o.Now, o.Zone
	o.Memories.Mount(shell)
	(&timeline.Pages{Store: o.Store, Now: o.Now, Zone: o.Zone}).Mount(shell)
	o.Character.Mount(shell)
	o.Conversations.Mount(shell, o.Store)
	(&simulate.Pages{Dir: o.Reports}).Mount(shell)
	o.Mind.Mount(shell, o.Store)
	(&people.Pages{Store: o.Store, Now: o.Now, Zone: o.Zone, Actions: o.People}).Mount(shell)
	(&me.Pages{Store: o.Store, Now: o.Now, Zone: o.Zone, Actions: o.Me}).Mount(shell)
}
