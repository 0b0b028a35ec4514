// Package restapi offers the memory of a persona to other programs as a small REST interface, made of package memoryapi. Errors
// are problem details (RFC 9457), and the routes describe themselves as an OpenAPI document.
package restapi

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"

	"familiar/internal/memoryapi"
	"familiar/internal/webserver"
)

// Prefix is where the interface is mounted.
const Prefix = "/api/v1"

// MaxBody is how long a request may be, in bytes.
const MaxBody = 256 << 10

// Options say what a handler is made of.
type Options struct {
	API *memoryapi.API
	// Version is the version of this program.
	Version string
	Log     *slog.Logger
}

// server answers requests.
type server struct {
	Options
	bearer webserver.Bearer
}

// Handler answers the interface. Each request needs a token, except for the OpenAPI document.
func Handler(o Options) (http.Handler, error) {
	s := server{o, webserver.Bearer{Authenticate: o.API.Store.Access.Authenticate, Log: o.Log}}
	document, err := document(o.Version)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	for _, r := range routes {
		mux.Handle(r.method+" "+Prefix+r.path, s.answer(r))
	}
	mux.HandleFunc("GET "+Prefix+"/openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(document) // the client may be gone
	})
	mux.HandleFunc(Prefix+"/", func(w http.ResponseWriter, r *http.Request) {
		status := http.StatusNotFound
		if allowed := methods(mux, r); len(allowed) > 0 {
			w.Header().Set("Allow", strings.Join(allowed, ", "))
			status = http.StatusMethodNotAllowed
		}
		fail(w, problem{Status: status, Title: http.StatusText(status), Detail: Prefix + "/openapi.json lists all routes"})
	})
	return mux, nil
}

// methods returns the methods with which the path of a request has a route.
func methods(mux *http.ServeMux, r *http.Request) (allowed []string) {
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := mux.Handler(other); strings.HasPrefix(pattern, method) {
			allowed = append(allowed, method)
		}
	}
	return allowed
}

// answer answers the requests of one route.
func (s server) answer(route route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g, status, err := s.bearer.Grant(w, r)
		if err != nil {
			fail(w, problem{Status: status, Title: http.StatusText(status), Detail: err.Error()})
			return
		}
		value, err := route.do(request{Request: r, client: s.API.For(g)})
		if err != nil {
			s.fail(w, route, err)
			return
		}
		if value == nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(route.status())
		if err := json.NewEncoder(w).Encode(value); err != nil {
			s.Log.Debug("answer a program", "route", route.path, "error", err)
		}
	})
}
