package people

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"familiar/memory/model"
	"familiar/persona"
	"familiar/persona/plain"
	"familiar/persona/scene"
	"familiar/web/layout"
)

// imagined is what somebody would hear if they came in now.
type imagined struct {
	persona.Greeting
	room string
	// byModel reports that the persona's own voice was asked and not the plain one.
	byModel bool
}

// greeting answers GET /p/{persona}/people/{id}/greeting. The plain voice words the greeting: that costs nothing and is the same each
// time.
func (p *Pages) greeting(w http.ResponseWriter, r *http.Request) error {
	return p.imagine(w, r, plain.New())
}

// askModel answers POST /p/{persona}/people/{id}/greeting: the voice of the persona words the greeting, which may cost tokens.
func (p *Pages) askModel(w http.ResponseWriter, r *http.Request) error { return p.imagine(w, r, nil) }

func (p *Pages) imagine(w http.ResponseWriter, r *http.Request, voice scene.Voice) error {
	s, err := p.subject(r)
	if err != nil {
		return err
	}
	engine, err := p.Mind(s.persona)
	if err != nil {
		return err
	}
	room, err := p.directRoom(r.Context(), s)
	if err != nil {
		return err
	}
	shown := imagined{room: roomName(room), byModel: voice == nil}
	if shown.Greeting, err = engine.GreetingFor(r.Context(), s.Person, room, voice); err != nil {
		if voice == nil {
			return layout.Invalid(fmt.Errorf("the persona's voice did not answer: %w", err))
		}
		return err
	}
	return p.write(w, r, s, "If "+s.Name+" came in now", greetingPage(s, shown))
}

// directRoom returns the direct room in which somebody wrote last, a new one if there is none.
func (p *Pages) directRoom(ctx context.Context, s subject) (model.Room, error) {
	rooms, err := p.Store.Turns.DirectRooms(ctx, s.ID)
	if err != nil || len(rooms) == 0 {
		return model.Room{Direct: true, PersonID: s.ID}, err
	}
	return rooms[0], nil
}

// away words how long somebody was away.
func away(d time.Duration) string {
	switch {
	case d < 2*time.Hour:
		return fmt.Sprintf("%d minutes", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d hours", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}
