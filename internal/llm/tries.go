package llm

import (
	"context"
	"time"

	"familiar/prompts"
)

// maxForms is how many forms of one prompt are tried when the provider rejects parameters.
const maxForms = 8

// tries are the attempts at one prompt.
type tries struct {
	client *Client
	prompt prompts.Prompt

	// count is the number of attempts, forms how many of them changed the form, waited the pauses between them.
	count, timeouts, forms int
	waited                 time.Duration
	spent                  prompts.Answer
	// probe reports that the last attempt was to find out whether the provider has recovered, ended that the caller
	// cancelled between two attempts.
	probe, ended bool
	last         *Error
}

// next makes one attempt when the queue and the breaker admit it. The answer holds the requests of all attempts.
func (t *tries) next(ctx context.Context, stream func(string)) (prompts.Answer, *Error) {
	release, refused := t.enter(ctx)
	if refused != nil {
		return t.spent, refused
	}
	defer release()
	answer, fault := t.client.attempt(ctx, t.prompt, stream)
	t.client.account.breaker.leave(t.probe, fault)
	answer = answer.After(t.spent)
	t.spent = answer
	t.spent.Text = ""
	return answer, fault
}

// enter waits in the queue. Whoever waits there when the breaker opens is refused at once.
func (t *tries) enter(ctx context.Context) (release func(), refused *Error) {
	b := t.client.account.breaker
	t.probe = false
	waiting, done := ctx, func() {}
	if t.guarded() {
		if refused := b.check(); refused != nil {
			return nil, refused
		}
		waiting, done = b.untilOpen(ctx)
	}
	release, err := t.client.account.queue.Acquire(waiting, t.prompt.Room)
	done()
	if err != nil {
		if ctx.Err() == nil {
			return t.enter(ctx) // the breaker opened
		}
		return nil, t.client.settings.classify(ctx, &watch{}, err)
	}
	if t.guarded() {
		if t.probe, refused = b.enter(); refused != nil {
			release()
			return nil, refused
		}
	}
	return release, nil
}

// guarded reports whether the breaker may refuse the next attempt. Work that was let in once keeps its retries, since
// nobody waits for it.
func (t *tries) guarded() bool { return t.count == 0 || t.prompt.Room != 0 }

// again reports whether another attempt may follow fault, after the pause that it takes.
func (t *tries) again(ctx context.Context, fault *Error) bool {
	if fault.Kind == Open {
		return false
	}
	t.last = fault
	if fault.adapted && t.forms < maxForms {
		t.forms++
		t.prompt = t.client.afterRefusal(t.prompt)
		return true
	}
	if t.count++; fault.Kind == Timeout {
		t.timeouts++
	}
	pause, again := pauseBefore(t.count, t.client.settings.Retries, fault, t.client.settings.Rand())
	switch {
	case !again, t.probe, t.timeouts > 1:
		return false
	case t.prompt.Room != 0 && (t.waited+pause > patience || t.client.account.breaker.check() != nil):
		return false
	}
	t.waited += pause
	t.ended = t.client.settings.Sleep(ctx, pause) != nil
	return !t.ended
}

// fault returns why the prompt has no answer: that the caller cancelled, or the last attempt's fault rather than that no
// other was made.
func (t *tries) fault(ctx context.Context, fault *Error) error {
	switch {
	case t.ended:
		return t.client.settings.classify(ctx, &watch{}, ctx.Err())
	case fault.Kind == Open && t.last != nil:
		return t.last
	}
	return fault
}
