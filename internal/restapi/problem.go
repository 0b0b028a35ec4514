package restapi

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"familiar/internal/memoryapi"
	"familiar/memory/access"
)

// problem is an error as RFC 9457 has it.
type problem struct {
	Status int    `json:"status"`
	Title  string `json:"title"`
	Detail string `json:"detail,omitempty"`
}

// fail writes a problem.
func fail(w http.ResponseWriter, p problem) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p) // the client may be gone
}

// causes are the errors that a program is told, with their status.
var causes = []struct {
	err    error
	status int
}{
	{errBody, http.StatusBadRequest},
	{errTooLong, http.StatusRequestEntityTooLarge},
	{memoryapi.ErrReused, http.StatusUnprocessableEntity},
	{memoryapi.ErrInvalid, http.StatusUnprocessableEntity},
	{memoryapi.ErrNotAllowed, http.StatusForbidden},
	{access.ErrReadOnly, http.StatusForbidden},
	{memoryapi.ErrNotFound, http.StatusNotFound},
	{context.Canceled, http.StatusServiceUnavailable},
}

// fail writes what a program is told of an error. Others are logged.
func (s server) fail(w http.ResponseWriter, route route, err error) {
	for _, c := range causes {
		if errors.Is(err, c.err) {
			fail(w, problem{Status: c.status, Title: http.StatusText(c.status), Detail: err.Error()})
			return
		}
	}
	s.Log.Warn("answer a program", "route", route.path, "error", err)
	w.Header().Set("Retry-After", "5")
	fail(w, problem{Status: http.StatusServiceUnavailable, Title: "the memory cannot be used now", Detail: "ask again later"})
}
