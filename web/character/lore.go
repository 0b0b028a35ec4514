package character

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"familiar/internal/loosejson"
	"familiar/memory"
	"familiar/persona/card"
	"familiar/persona/lore"
	"familiar/web/layout"
)

// lorebook is a persona's lorebook as it is.
type lorebook struct {
	persona
	lore []byte
	// book is nil if there is none or it cannot be read.
	book *lore.Book
	// unread is why the file cannot be read, "" if it can.
	unread string
}

// entries returns the entries of the book.
func (b lorebook) entries() []lore.Entry {
	if b.book == nil {
		return nil
	}
	return b.book.Entries
}

func (p *Pages) readLore(r *http.Request) (b lorebook, err error) {
	if b.persona, err = p.read(r); err != nil {
		return b, err
	}
	if b.lore, err = card.LoreText(p.Dir, b.key); err != nil || b.lore == nil {
		return b, err
	}
	if b.book, err = lore.Read(b.lore); err != nil {
		b.unread = err.Error()
	}
	return b, nil
}

func (p *Pages) mountLore(at string) {
	p.shell.Get(at+"/lore", p.showLore)
	p.shell.Get(at+"/lore/new", func(w http.ResponseWriter, r *http.Request) error { return p.showEntry(w, r, 0) })
	p.shell.Post(at+"/lore/new", func(w http.ResponseWriter, r *http.Request) error { return p.saveEntry(w, r, 0) })
	p.shell.Post(at+"/lore/new/check", func(w http.ResponseWriter, r *http.Request) error { return p.checkEntry(w, r, 0) })
	p.shell.Post(at+"/lore/new/try", func(w http.ResponseWriter, r *http.Request) error { return p.tryEntry(w, r, 0) })
	of := func(do func(http.ResponseWriter, *http.Request, int) error) layout.Handler {
		return func(w http.ResponseWriter, r *http.Request) error {
			n, err := strconv.Atoi(r.PathValue("number"))
			if err != nil || n < 1 {
				return memory.ErrNotFound
			}
			return do(w, r, n)
		}
	}
	p.shell.Get(at+"/lore/{number}", of(p.showEntry))
	p.shell.Post(at+"/lore/{number}", of(p.saveEntry))
	p.shell.Post(at+"/lore/{number}/check", of(p.checkEntry))
	p.shell.Post(at+"/lore/{number}/try", of(p.tryEntry))
	p.shell.Post(at+"/lore/{number}/enable", of(p.enableEntry))
	p.shell.Post(at+"/lore/{number}/delete", of(p.deleteEntry))
	p.shell.Post(at+"/lore/restore", p.restoreLore)
}

// entriesPerPage is how many entries a page lists.
const entriesPerPage = 50

// loreView is a page of the list of entries.
type loreView struct {
	lorebook
	from     int
	problems []string
}

func (p *Pages) showLore(w http.ResponseWriter, r *http.Request) error {
	b, err := p.readLore(r)
	if err != nil {
		return err
	}
	v := loreView{lorebook: b}
	if from, err := strconv.Atoi(r.URL.Query().Get("from")); err == nil && from > 0 && from < len(b.entries()) {
		v.from = from - from%entriesPerPage
	}
	if b.book != nil {
		v.problems = lore.Compile(b.book).Problems
		v.problems = v.problems[:min(len(v.problems), entriesPerPage)]
	}
	return p.shell.Write(w, r, layout.Page{Title: "Lorebook of " + b.name(), Section: layout.Character, Persona: b.key, Body: p.lorePage(v)})
}

// entryFields are the fields of an entry's form that problems are shown at.
var entryFields = []field{
	{name: "keys", label: "Keys", hint: "What makes it fire when the talk mentions it, one on each line: words, or regular expressions between slashes.", kind: items, rows: "3"},
	{name: "content", label: "Text", hint: "What the persona knows then. It may begin with decorators, each on a line of its own, such as @@depth 2.", kind: prose, rows: "8"},
	{name: "name", label: "Title", hint: "For you; the persona never sees it.", kind: line},
	{name: "secondary_keys", label: "Second keys", hint: "If it is selective, one of these must be mentioned too, one on each line.", kind: items, rows: "2"},
	{name: "insertion_order", label: "Order", hint: "Of the entries that fire, lower ones come first.", kind: line},
	{name: "probability", label: "Chance", hint: "How often it fires when it could, in per cent; empty for always.", kind: line},
	{name: "position", label: "Place", hint: "Where the text goes.", kind: choice, options: []option{{"", "as usual"}, {"before_char", "before the character"}, {"after_char", "after the character"}}},
	{name: "case_sensitive", label: "Capital letters", hint: "Whether keys differ by them.", kind: choice, options: []option{{"", "as usual"}, {"true", "matter"}, {"false", "do not matter"}}},
}

// entryFlags are the boxes to tick.
var entryFlags = []option{{"enabled", "Enabled"}, {"constant", "Always fires"}, {"selective", "Selective: needs a second key too"}, {"use_regex", "Keys are regular expressions"}}

// entryView is the form of an entry.
type entryView struct {
	lorebook
	// number is that of the entry, 0 for a new one.
	number int
	held   content
	// ticked are the flags that are set.
	ticked   map[string]bool
	wrong    problems
	outdated bool
	// theirs is the entry as a newer version of the book has it, as JSON.
	theirs string
	talk   talk
}

func (v entryView) path() string {
	if v.number == 0 {
		return layout.Of(v.key, "character", "lore", "new")
	}
	return layout.Of(v.key, "character", "lore", strconv.Itoa(v.number))
}

// heldBy returns what the form of an entry shows.
func heldBy(e *lore.Entry) (content, map[string]bool) {
	held := content{
		"keys": e.Keys, "secondary_keys": e.SecondaryKeys, "content": {tidy(e.Content)}, "name": {cmp.Or(e.Name, e.Comment)},
		"insertion_order": {number(e.Order)}, "position": {e.Position}, "case_sensitive": {""}, "probability": {""},
	}
	if e.CaseSensitive != nil {
		held["case_sensitive"] = []string{strconv.FormatBool(*e.CaseSensitive)}
	}
	if n, ok := e.Probability(); ok {
		held["probability"] = []string{number(n)}
	}
	return held, map[string]bool{"enabled": e.Enabled, "constant": e.Constant, "selective": e.Selective, "use_regex": e.Regex}
}

func (p *Pages) showEntry(w http.ResponseWriter, r *http.Request, number int) error {
	b, err := p.readLore(r)
	if err != nil {
		return err
	}
	e := &lore.Entry{Enabled: true, Order: 100}
	if number > 0 {
		if number > len(b.entries()) {
			return memory.ErrNotFound
		}
		e = &b.book.Entries[number-1]
	}
	v := entryView{lorebook: b, number: number}
	v.held, v.ticked = heldBy(e)
	return p.writeEntry(w, r, v)
}

func (p *Pages) writeEntry(w http.ResponseWriter, r *http.Request, v entryView) error {
	status := http.StatusOK
	switch {
	case v.outdated:
		status = http.StatusConflict
	case len(v.wrong) > 0:
		status = http.StatusUnprocessableEntity
	}
	if v.card != nil {
		v.talk = p.talkOf(r, v.card, v.talk)
	}
	return p.shell.WriteAs(w, r, status, layout.Page{Title: "Lore of " + v.name(), Section: layout.Character, Persona: v.key, Body: p.entryPage(v)})
}

// filledEntry returns the form of an entry as it was sent, and the text of the lorebook with it.
func (p *Pages) filledEntry(w http.ResponseWriter, r *http.Request, number int) (v entryView, after []byte, err error) {
	if err := limited(w, r, maxForm); err != nil {
		return v, nil, err
	}
	b, err := p.readLore(r)
	if err != nil {
		return v, nil, err
	}
	if b.unread != "" {
		return v, nil, layout.Invalid(errors.New("the lorebook is broken: mend it on the page File first"))
	}
	v = entryView{lorebook: b, number: number, held: submitted(r.PostForm, entryFields), ticked: map[string]bool{}, wrong: problems{}}
	for _, f := range entryFlags {
		v.ticked[f.value] = r.PostForm.Get(f.value) != ""
	}
	v.outdated = r.PostForm.Get("base") != card.Mark(b.lore)
	e := lore.Entry{}
	if number > 0 {
		if number > len(b.entries()) {
			if !v.outdated {
				return v, nil, memory.ErrNotFound
			}
			v.number, v.theirs = 0, "(it was removed; saving now adds yours again)"
		} else {
			e = b.book.Entries[number-1]
		}
	}
	if v.outdated && v.number > 0 {
		raw, err := loosejson.Indent(&e)
		if err != nil {
			return v, nil, err
		}
		v.theirs = string(raw)
	}
	v.fill(&e)
	if len(v.wrong) > 0 {
		return v, b.lore, nil
	}
	if v.number == 0 {
		after, err = lore.Append(b.lore, e)
	} else {
		after, err = lore.Put(b.lore, v.number, e)
	}
	if err != nil {
		v.wrong.add("", err.Error())
	}
	return v, after, nil
}

// fill changes what differs in an entry from what the form has, and notes what is wrong.
func (v entryView) fill(e *lore.Entry) {
	was, _ := heldBy(e)
	differs := func(name string) bool { return !slices.Equal(was[name], v.held[name]) }
	if differs("keys") {
		e.Keys = v.held["keys"]
	}
	if differs("secondary_keys") {
		e.SecondaryKeys = v.held["secondary_keys"]
	}
	if differs("content") {
		e.Content = v.held["content"][0]
	}
	if differs("name") {
		e.Name = v.held["name"][0]
		if e.Name == "" {
			e.Comment = ""
		}
	}
	if differs("position") {
		e.Position = v.held["position"][0]
	}
	e.Enabled, e.Constant, e.Selective, e.Regex = v.ticked["enabled"], v.ticked["constant"], v.ticked["selective"], v.ticked["use_regex"]
	if differs("case_sensitive") {
		e.CaseSensitive = nil
		if text := v.held["case_sensitive"][0]; text != "" {
			sensitive := text == "true"
			e.CaseSensitive = &sensitive
		}
	}
	if differs("insertion_order") {
		n, err := strconv.ParseFloat(v.held["insertion_order"][0], 64)
		if err != nil || n != n || n > 1e9 || n < -1e9 {
			v.wrong.add("insertion_order", "takes a number")
		}
		e.Order = n
	}
	if differs("probability") {
		n, err := strconv.ParseFloat(cmp.Or(v.held["probability"][0], "100"), 64)
		if err != nil || !(n >= 0 && n <= 100) {
			v.wrong.add("probability", "takes a number from 0 to 100")
		} else if err := e.SetProbability(n, v.held["probability"][0] != ""); err != nil {
			v.wrong.add("probability", err.Error())
		}
	}
	if len(e.Keys) == 0 && !e.Constant && !strings.HasPrefix(strings.TrimSpace(e.Content), "@@") {
		v.wrong.add("keys", "are missing: name a word that makes it fire, or tick that it always fires")
	}
	if lore.WithoutDecorators(e.Content) == "" {
		v.wrong.add("content", "is empty")
	}
	for _, text := range lore.Compile(&lore.Book{Entries: []lore.Entry{*e}}).Problems {
		_, text, _ = strings.Cut(text, "the key ")
		v.wrong.add("keys", "the key "+text)
	}
}

func (p *Pages) checkEntry(w http.ResponseWriter, r *http.Request, number int) error {
	v, _, err := p.filledEntry(w, r, number)
	if err != nil {
		return err
	}
	return answerJSON(w, struct {
		Problems problems `json:"problems"`
		Outdated bool     `json:"outdated"`
	}{v.wrong, v.outdated})
}

func (p *Pages) saveEntry(w http.ResponseWriter, r *http.Request, number int) error {
	v, after, err := p.filledEntry(w, r, number)
	if err != nil {
		return err
	}
	if v.outdated || len(v.wrong) > 0 {
		return p.writeEntry(w, r, v)
	}
	if err := p.writeLore(w, r, v.lorebook, after, "The entry is saved."); !errors.Is(err, card.ErrOutdated) {
		return err
	}
	if v, _, err = p.filledEntry(w, r, number); err != nil {
		return err
	}
	return p.writeEntry(w, r, v)
}

// tryEntry has the persona answer as it would with the entry of a form.
func (p *Pages) tryEntry(w http.ResponseWriter, r *http.Request, number int) error {
	v, after, err := p.filledEntry(w, r, number)
	if err != nil {
		return err
	}
	if v.card == nil || len(v.wrong) > 0 {
		v.talk.refuse(r, "Mend what is wrong first.")
		return p.writeEntry(w, r, v)
	}
	book, err := lore.Read(after)
	if err != nil {
		return layout.Invalid(err)
	}
	if v.talk, err = p.answer(r, v.card, book); err != nil {
		return err
	}
	return p.writeEntry(w, r, v)
}

// writeLore replaces the lorebook and leads to the list of its entries.
func (p *Pages) writeLore(w http.ResponseWriter, r *http.Request, before lorebook, after []byte, text string) error {
	if _, err := card.ReplaceLore(r.Context(), p.Dir, before.key, before.lore, after, card.Paged, p.Now()); err != nil {
		return err
	}
	n := layout.Notice{Text: text + " " + p.effect()}
	if number := p.keptLore(before.key, card.Mark(before.lore)); number > 0 {
		n.Undo = layout.Of(before.key, "character", "lore", "restore")
		n.Fields = url.Values{"number": {strconv.Itoa(number)}, "base": {card.Mark(after)}}
	}
	return layout.Done(w, r, layout.Of(before.key, "character", "lore"), n)
}

// keptLore returns the number of the newest kept lorebook with a mark, 0 for none.
func (p *Pages) keptLore(key, mark string) int {
	versions, err := card.LoreVersions(p.Dir, key)
	if err != nil {
		return 0
	}
	for _, v := range slices.Backward(versions) {
		if text, err := v.Text(); err == nil && (card.Mark(text) == mark || mark == "" && len(text) == 0) {
			return v.Number
		}
	}
	return 0
}

// enableEntry turns an entry on or off.
func (p *Pages) enableEntry(w http.ResponseWriter, r *http.Request, number int) error {
	return p.changeEntry(w, r, number, func(text []byte, e lore.Entry) ([]byte, string, error) {
		e.Enabled = r.PostForm.Get("on") != ""
		after, err := lore.Put(text, number, e)
		if e.Enabled {
			return after, "The entry is enabled.", err
		}
		return after, "The entry is disabled.", err
	})
}

func (p *Pages) deleteEntry(w http.ResponseWriter, r *http.Request, number int) error {
	return p.changeEntry(w, r, number, func(text []byte, _ lore.Entry) ([]byte, string, error) {
		after, err := lore.Remove(text, number)
		return after, "The entry is removed.", err
	})
}

// changeEntry changes an entry of the lorebook that a page was made from.
func (p *Pages) changeEntry(w http.ResponseWriter, r *http.Request, number int, do func([]byte, lore.Entry) ([]byte, string, error)) error {
	if err := limited(w, r, maxForm); err != nil {
		return err
	}
	b, err := p.readLore(r)
	if err != nil {
		return err
	}
	if r.PostForm.Get("base") != card.Mark(b.lore) {
		return layout.Invalid(errLoreOutdated)
	}
	if number > len(b.entries()) {
		return memory.ErrNotFound
	}
	after, text, err := do(b.lore, b.book.Entries[number-1])
	if err != nil {
		return layout.Invalid(err)
	}
	if err := p.writeLore(w, r, b, after, text); errors.Is(err, card.ErrOutdated) {
		return layout.Invalid(errLoreOutdated)
	} else if err != nil {
		return err
	}
	return nil
}

var errLoreOutdated = errors.New("the lorebook was changed since this page was made, and nothing was written: go back to it and do it again")

// restoreLore brings an earlier lorebook back.
func (p *Pages) restoreLore(w http.ResponseWriter, r *http.Request) error {
	if err := limited(w, r, maxForm); err != nil {
		return err
	}
	b, err := p.readLore(r)
	if err != nil {
		return err
	}
	versions, err := card.LoreVersions(p.Dir, b.key)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(versions, func(v card.Version) bool { return strconv.Itoa(v.Number) == r.PostForm.Get("number") })
	if at < 0 {
		return memory.ErrNotFound
	}
	if r.PostForm.Get("base") != card.Mark(b.lore) {
		return layout.Invalid(errLoreOutdated)
	}
	text, err := versions[at].Text()
	if err != nil {
		return err
	}
	if err := p.writeLore(w, r, b, text, fmt.Sprintf("Version %d of the lorebook is back.", versions[at].Number)); errors.Is(err, card.ErrOutdated) {
		return layout.Invalid(errLoreOutdated)
	} else if err != nil {
		return err
	}
	return nil
}
