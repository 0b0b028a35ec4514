package restapi

import (
	"net/http"

	"familiar/internal/memoryapi"
)

// route is one operation.
type route struct {
	method, path, summary string
	// query, body and result are values of the types that are read and written, nil for none.
	query, body, result any
	// keyed reports that an Idempotency-Key counts.
	keyed bool
	do    func(r request) (any, error)
}

// status returns the status of success.
func (r route) status() int {
	if r.keyed {
		return http.StatusCreated
	}
	return http.StatusOK
}

// list is a page of a list. Next is what to give as before for the next page, 0 if there is none.
type list[T any] struct {
	Items []T   `json:"items"`
	Next  int64 `json:"next,omitempty" jsonschema:"give this as before for the next page; missing on the last one"`
}

// page returns a page that is full if it has as many items as were asked for.
func page[T any](items []T, asked int, id func(T) int64) list[T] {
	if asked == 0 {
		asked = memoryapi.DefaultLimit
	}
	l := list[T]{Items: items}
	if len(items) == asked {
		l.Next = id(items[len(items)-1])
	}
	return l
}

// some is how many items are asked for.
type some struct {
	Limit int `json:"limit,omitempty" jsonschema:"how many, 1 to 100; 10 if missing"`
}

// routes are all operations, in the order of the document.
var routes = []route{
	{method: "GET", path: "/access", summary: "Whose memory this is, and what this token may do", result: memoryapi.Access{}, do: func(r request) (any, error) {
		return r.client.Describe(r.Context())
	}},
	{method: "POST", path: "/memories", summary: "Remember something", body: memoryapi.RememberInput{}, result: memoryapi.Memory{}, keyed: true, do: remember},
	{method: "GET", path: "/memories", summary: "List memories, newest first", query: memoryapi.ListInput{}, result: list[memoryapi.Memory]{}, do: listMemories},
	{method: "GET", path: "/memories/{id}", summary: "Get one memory", result: memoryapi.Memory{}, do: byID((*memoryapi.Client).Get)},
	{method: "DELETE", path: "/memories/{id}", summary: "Forget a memory and everything derived from it", do: forget},
	{method: "GET", path: "/memories/{id}/explanation", summary: "Why a memory is known, and how it fades", result: memoryapi.Explanation{}, do: byID((*memoryapi.Client).Explain)},
	{method: "POST", path: "/memories/curate", summary: "Change the life of a memory", body: memoryapi.CurateInput{}, result: memoryapi.Memory{}, do: ofBody((*memoryapi.Client).Curate)},
	{method: "POST", path: "/recall", summary: "Search the memory", body: memoryapi.RecallInput{}, result: list[memoryapi.Hit]{}, do: recall},
	{method: "POST", path: "/context", summary: "What is remembered about a question, within a token budget", body: memoryapi.ContextInput{}, result: memoryapi.Context{}, do: ofBody((*memoryapi.Client).Context)},
	{method: "GET", path: "/beliefs", summary: "Facts that hold, with their evidence", query: memoryapi.BeliefsInput{}, result: list[memoryapi.Belief]{}, do: listBeliefs},
	{method: "POST", path: "/beliefs/{id}/correction", summary: "Say what a fact really is; the old value stays as history", body: memoryapi.Correction{}, result: memoryapi.Memory{}, do: correct},
	{method: "GET", path: "/sessions", summary: "List conversations, newest first", query: memoryapi.SessionsInput{}, result: list[memoryapi.Session]{}, do: listSessions},
	{method: "GET", path: "/sessions/{id}", summary: "Get one conversation", result: memoryapi.Conversation{}, do: byID((*memoryapi.Client).Session)},
	{method: "GET", path: "/people", summary: "Whom the persona knows", result: list[memoryapi.Person]{}, do: listPeople},
	{method: "GET", path: "/dreams", summary: "The nights' journal, newest first", query: some{}, result: list[memoryapi.Memory]{}, do: listDreams},
	{method: "GET", path: "/topics", summary: "The topics of the memory, largest first", query: some{}, result: list[memoryapi.Node]{}, do: listTopics},
}
