package chatapi

import (
	"encoding/json"
	"net/http"
	"strconv"
)

// apiError is an error as OpenAI's clients understand it.
type apiError struct {
	status              int
	kind, code          string
	param, message      string
	retryAfter          int // in seconds, 0 for none
	wantsAuthentication bool
}

// errorBody is the JSON of an error.
type errorBody struct {
	Error struct {
		Message string  `json:"message"`
		Type    string  `json:"type"`
		Param   *string `json:"param"`
		Code    *string `json:"code"`
	} `json:"error"`
}

func (e *apiError) body() (b errorBody) {
	b.Error.Message, b.Error.Type = e.message, e.kind
	if e.param != "" {
		b.Error.Param = &e.param
	}
	if e.code != "" {
		b.Error.Code = &e.code
	}
	return b
}

// write answers with the error.
func (e *apiError) write(w http.ResponseWriter) {
	if e.retryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(e.retryAfter))
	}
	if e.wantsAuthentication {
		w.Header().Set("WWW-Authenticate", `Bearer realm="familiar"`)
	}
	writeJSON(w, e.status, e.body())
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the program may have disconnected
}

// The errors of requests that may be sent again.
var (
	errBusyRoom = &apiError{
		status: http.StatusTooManyRequests, kind: "rate_limit_error", code: "rate_limit_exceeded", retryAfter: 2,
		message: "too many requests of this user wait for an answer: wait for one of them",
	}
	errBusy = &apiError{
		status: http.StatusTooManyRequests, kind: "rate_limit_error", code: "rate_limit_exceeded", retryAfter: 2,
		message: "too many requests wait for an answer: try again in a moment",
	}
	errNotStored = &apiError{
		status: http.StatusServiceUnavailable, kind: "server_error", code: "not_stored", retryAfter: 5,
		message: "the message was not stored: send the same request again",
	}
	errLate = &apiError{
		status: http.StatusGatewayTimeout, kind: "server_error", code: "timeout", retryAfter: 30,
		message: "the answer takes longer than usual: send the same request again to get it",
	}
	errStopping = &apiError{
		status: http.StatusServiceUnavailable, kind: "server_error", code: "stopping", retryAfter: 5,
		message: "familiar is stopping: send the same request again to get the answer",
	}
)
