package persona

import (
	"context"
	"sync"

	"familiar/channels"
)

// preview shows a reply while it grows. It keeps nobody waiting: while the network is busy with one text, only the latest of
// those that follow is kept. A nil preview shows nothing.
type preview struct {
	show func(soFar string)
	// texts holds the text to show next, if there is one.
	texts chan string
	ended sync.Once
	done  chan struct{}
}

// preview returns a preview of the turn's reply, nil if the channel has none.
func (e *Engine) preview(ctx context.Context, t *turn) *preview {
	previewer, ok := e.channels[t.room.Channel].(channels.Previewer)
	if !ok || t.proactive() != "" { // the voice may decide to say nothing
		return nil
	}
	key := chunkKey(e.replyKey(t.pending[0].Message), 0)
	p := &preview{texts: make(chan string, 1), done: make(chan struct{})}
	p.show = func(soFar string) {
		if e.sender.isBusy(t.room.ID) || !e.fleet.Sure() { // earlier messages come first, and another process may be answering
			return
		}
		err := recoverAs(channels.Temporary, func() error { return previewer.Preview(ctx, t.room.Room, key, soFar) })
		if err != nil {
			e.Log.Debug("preview a reply", "room", t.room.ID, "error", err)
		}
	}
	e.wg.Go(p.run)
	return p
}

// run shows texts until settle is called.
func (p *preview) run() {
	defer close(p.done)
	for text := range p.texts {
		p.show(text)
	}
}

// take returns the function that takes the reply so far, nil if nothing is shown. It must not be called after settle.
func (p *preview) take() func(soFar string) {
	if p == nil {
		return nil
	}
	return func(soFar string) {
		select {
		case <-p.texts: // an older one that was not shown yet
		default:
		}
		p.texts <- soFar
	}
}

// settle drops what was not shown yet and waits until nothing is being shown: only then may the reply be sent, or the preview
// be removed. Calling it again is safe.
func (p *preview) settle() {
	if p == nil {
		return
	}
	p.ended.Do(func() {
		select {
		case <-p.texts:
		default:
		}
		close(p.texts)
	})
	<-p.done
}
