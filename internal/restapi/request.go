package restapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"familiar/internal/memoryapi"
)

// Errors of requests.
var (
	errBody    = errors.New("the body cannot be read")
	errTooLong = errors.New("the body is too long")
)

// request is one request of a program.
type request struct {
	*http.Request
	client *memoryapi.Client
}

// id returns the number in the path.
func (r request) id() (int64, error) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil || id < 1 {
		return 0, fmt.Errorf("%w: %q is no number", memoryapi.ErrNotFound, r.PathValue("id"))
	}
	return id, nil
}

// body reads the JSON object in the body of a request.
func body[T any](r request) (in T, err error) {
	decode := json.NewDecoder(r.Body)
	decode.DisallowUnknownFields()
	if err := decode.Decode(&in); err != nil {
		if _, long := errors.AsType[*http.MaxBytesError](err); long {
			return in, fmt.Errorf("%w: at most %d kB are read", errTooLong, MaxBody>>10)
		}
		return in, fmt.Errorf("%w: %s", errBody, strings.TrimPrefix(err.Error(), "json: "))
	}
	if decode.More() {
		return in, fmt.Errorf("%w: there is more than one JSON value", errBody)
	}
	return in, nil
}

// query reads the fields of T from the query of a request: whole numbers, truth values and texts, by their JSON names.
func query[T any](r request) (in T, err error) {
	fields := reflect.ValueOf(&in).Elem()
	given := r.URL.Query()
	for i := range fields.NumField() {
		name, _, _ := strings.Cut(fields.Type().Field(i).Tag.Get("json"), ",")
		text := given.Get(name)
		given.Del(name)
		if text == "" {
			continue
		}
		if err := json.Unmarshal([]byte(quoteFor(fields.Field(i).Kind(), text)), fields.Field(i).Addr().Interface()); err != nil {
			return in, fmt.Errorf("%w: %s is %q", memoryapi.ErrInvalid, name, text)
		}
	}
	for name := range given {
		return in, fmt.Errorf("%w: there is no parameter %q: %s/openapi.json lists them", memoryapi.ErrInvalid, name, Prefix)
	}
	return in, nil
}

// quoteFor returns a parameter as JSON for a field of a kind.
func quoteFor(kind reflect.Kind, text string) string {
	if kind != reflect.String {
		return text
	}
	quoted, _ := json.Marshal(text) // a text always has a JSON form
	return string(quoted)
}
