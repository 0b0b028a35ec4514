package restapi

import (
	"context"

	"familiar/internal/memoryapi"
)

// byID returns an operation on what has the number in the path.
func byID[T any](get func(c *memoryapi.Client, ctx context.Context, id int64) (T, error)) func(r request) (any, error) {
	return func(r request) (any, error) {
		id, err := r.id()
		if err != nil {
			return nil, err
		}
		return get(r.client, r.Context(), id)
	}
}

// ofBody returns an operation on the object in the body.
func ofBody[In, Out any](do func(c *memoryapi.Client, ctx context.Context, in In) (Out, error)) func(r request) (any, error) {
	return func(r request) (any, error) {
		in, err := body[In](r)
		if err != nil {
			return nil, err
		}
		return do(r.client, r.Context(), in)
	}
}

func remember(r request) (any, error) {
	in, err := body[memoryapi.RememberInput](r)
	if err != nil {
		return nil, err
	}
	in.Key = r.Header.Get("Idempotency-Key")
	return r.client.Remember(r.Context(), in)
}

func forget(r request) (any, error) {
	id, err := r.id()
	if err != nil {
		return nil, err
	}
	return nil, r.client.Forget(r.Context(), id)
}

func recall(r request) (any, error) {
	in, err := body[memoryapi.RecallInput](r)
	if err != nil {
		return nil, err
	}
	found, err := r.client.Recall(r.Context(), in)
	return list[memoryapi.Hit]{Items: found}, err
}

func correct(r request) (any, error) {
	id, err := r.id()
	if err != nil {
		return nil, err
	}
	in, err := body[memoryapi.Correction](r)
	if err != nil {
		return nil, err
	}
	return r.client.Correct(r.Context(), id, in)
}

func listMemories(r request) (any, error) {
	in, err := query[memoryapi.ListInput](r)
	if err != nil {
		return nil, err
	}
	found, err := r.client.List(r.Context(), in)
	return page(found, in.Limit, func(m memoryapi.Memory) int64 { return m.ID }), err
}

func listSessions(r request) (any, error) {
	in, err := query[memoryapi.SessionsInput](r)
	if err != nil {
		return nil, err
	}
	found, err := r.client.Sessions(r.Context(), in)
	return page(found, in.Limit, func(s memoryapi.Session) int64 { return s.ID }), err
}

func listBeliefs(r request) (any, error) {
	in, err := query[memoryapi.BeliefsInput](r)
	if err != nil {
		return nil, err
	}
	found, err := r.client.Beliefs(r.Context(), in)
	return list[memoryapi.Belief]{Items: found}, err
}

func listPeople(r request) (any, error) {
	found, err := r.client.People(r.Context())
	return list[memoryapi.Person]{Items: found}, err
}

func listDreams(r request) (any, error) { return upTo(r, r.client.Dreams) }

func listTopics(r request) (any, error) { return upTo(r, r.client.Topics) }

// upTo returns as many items as the query asks for.
func upTo[T any](r request, get func(ctx context.Context, limit int) ([]T, error)) (any, error) {
	in, err := query[some](r)
	if err != nil {
		return nil, err
	}
	found, err := get(r.Context(), in.Limit)
	return list[T]{Items: found}, err
}
