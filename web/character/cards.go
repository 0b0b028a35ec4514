package character

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"familiar/memory"
	"familiar/persona/card"
	"familiar/persona/character"
	"familiar/persona/edit"
	"familiar/web/layout"
	"familiar/web/visitor"
)

const (
	// maxWaiting is how many uploaded files wait for a yes, waitFor how long.
	maxWaiting = 3
	waitFor    = 10 * time.Minute
	// maxRows is how many parts of a plan a page lists.
	maxRows = 200
)

// upload is a file that waits for a yes.
type upload struct {
	token, owner, name string
	data               []byte
	at                 time.Time
}

// uploads are the files that wait, the oldest first.
type uploads struct {
	mu  sync.Mutex
	all []upload
}

// put keeps a file and returns its token.
func (u *uploads) put(one upload) string {
	one.token = rand.Text()
	u.mu.Lock()
	defer u.mu.Unlock()
	u.expire(one.at)
	u.all = append(u.all[max(0, len(u.all)+1-maxWaiting):], one)
	return one.token
}

// get returns a file of the browser that sent it.
func (u *uploads) get(token, owner string, now time.Time) (upload, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.expire(now)
	for _, one := range u.all {
		if one.token == token && one.owner == owner {
			return one, nil
		}
	}
	return upload{}, layout.Invalid(errors.New("the file waited too long for an answer: choose it again"))
}

func (u *uploads) expire(now time.Time) {
	u.all = slices.DeleteFunc(u.all, func(one upload) bool { return now.Sub(one.at) > waitFor })
}

func (u *uploads) drop(token string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.all = slices.DeleteFunc(u.all, func(one upload) bool { return one.token == token })
}

func (p *Pages) mountCards(at string) {
	p.shell.Get(at+"/cards", p.showCards)
	p.shell.Get(at+"/export/{format}", p.export)
	p.shell.Post(at+"/import", p.receive)
	p.shell.Post(at+"/import/write", p.importCard)
}

func (p *Pages) showCards(w http.ResponseWriter, r *http.Request) error {
	o, err := p.read(r)
	if err != nil {
		return err
	}
	return p.shell.Write(w, r, layout.Page{Title: "Import and export " + o.name(), Section: layout.Character, Persona: o.key, Body: p.cardsPage(o)})
}

// kinds are the media types of exports.
var kinds = map[string]string{edit.YAML: "application/yaml", "json": "application/json", "png": "image/png", "charx": "application/zip"}

// export sends a persona as a file.
func (p *Pages) export(w http.ResponseWriter, r *http.Request) error {
	key, format := r.PathValue("persona"), r.PathValue("format")
	if !edit.IsFormat(format) {
		return memory.ErrNotFound
	}
	data, err := edit.Export(p.Dir, key, format, 0)
	if err != nil {
		return layout.Invalid(err)
	}
	w.Header().Set("Content-Type", kinds[format])
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": key + "." + format}))
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(data) // a browser that went away needs nothing
	return nil
}

// planView is what an import would make.
type planView struct {
	persona
	plan  *edit.Import
	token string
	left  int
}

// receive takes a file and shows what importing it would make.
func (p *Pages) receive(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, character.MaxFile+1<<20)
	file, head, err := r.FormFile("file")
	if err != nil {
		if long, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return long
		}
		return layout.Invalid(errors.New("choose a file first: a card as PNG, JSON or CHARX, or a persona's YAML"))
	}
	defer file.Close() //nolint:errcheck // only read
	if head.Size > character.MaxFile {
		return layout.Invalid(fmt.Errorf("the file has more than %d MB", character.MaxFile>>20))
	}
	data, err := io.ReadAll(io.LimitReader(file, character.MaxFile+1))
	if err != nil {
		return layout.Invalid(fmt.Errorf("read the file: %w", err))
	}
	name := path.Base(strings.ReplaceAll(head.Filename, "\\", "/"))
	one := upload{owner: visitor.From(r.Context()).CSRF, name: name, data: data, at: p.Now()}
	return p.showPlan(w, r, one, strings.TrimSpace(r.FormValue("as")))
}

// planOf plans the import of a file under a key, "" for one made from the name.
func (p *Pages) planOf(one upload, as string) (*edit.Import, error) {
	if as != "" && !card.ValidKey(as) {
		return nil, layout.Invalid(fmt.Errorf("%q is not a valid key: use up to 40 characters of a–z, 0–9 and -", as))
	}
	plan, err := edit.Plan(p.Dir, one.name, one.data, as)
	if err != nil {
		return nil, layout.Invalid(err)
	}
	return plan, nil
}

func (p *Pages) showPlan(w http.ResponseWriter, r *http.Request, one upload, as string) error {
	o, err := p.read(r)
	if err != nil {
		return err
	}
	plan, err := p.planOf(one, as)
	if err != nil {
		return err
	}
	v := planView{persona: o, plan: plan, token: p.uploads.put(one)}
	v.left = max(0, len(plan.Parts)-maxRows)
	return p.shell.Write(w, r, layout.Page{Title: "Import " + one.name, Section: layout.Character, Persona: o.key, Body: p.planPage(v)})
}

// importCard writes what a plan showed.
func (p *Pages) importCard(w http.ResponseWriter, r *http.Request) error {
	if err := limited(w, r, maxForm); err != nil {
		return err
	}
	one, err := p.uploads.get(r.PostForm.Get("token"), visitor.From(r.Context()).CSRF, p.Now())
	if err != nil {
		return err
	}
	as := strings.TrimSpace(r.PostForm.Get("as"))
	plan, err := p.planOf(one, as)
	if err != nil {
		return err
	}
	if as == "" || plan.Replaces && r.PostForm.Get("replace") != plan.Key {
		return p.showPlan(w, r, one, as) // under another key it is another plan
	}
	text := fmt.Sprintf("%s is imported. Name it in familiar.yaml to have it answer, or speak with it: familiar chat --persona %s", plan.Key, plan.Key)
	if plan.Replaces {
		err = plan.Replace(r.Context(), p.Now())
		text = fmt.Sprintf("%s is replaced by what was imported. What it was stays in the history. %s", plan.Key, p.effect())
	} else {
		err = plan.Write(p.Now())
	}
	if errors.Is(err, edit.ErrExists) || errors.Is(err, card.ErrOutdated) {
		return layout.Invalid(err)
	}
	if err != nil {
		return err
	}
	p.uploads.drop(one.token)
	return layout.Done(w, r, layout.Of(r.PathValue("persona"), "character", "cards"), layout.Notice{Text: text})
}
