package simulate

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strings"
)

//go:embed wordings/*.txt
var wordingFiles embed.FS

// wordings holds the ways to say each thing, by section. wordings/README.md tells who wrote them.
type wordings map[string][]string

// form describes the wordings of a section.
type form struct {
	// least is the minimum number of wordings.
	least int
	// holds lists the placeholders that every wording holds. "|" separates alternatives; nothing beside it makes the
	// placeholder optional.
	holds []string
}

func telling(holds ...string) form  { return form{40, holds} }
func asking(holds ...string) form   { return form{14, holds} }
func changing(holds ...string) form { return form{20, holds} }

// forms describes every section. A topic has the sections "topic", "topic asked" and, if it can change, "topic
// changed" and "topic before asked". Some have more.
var forms = map[string]form{
	"name":                  telling("value"),
	"name asked":            asking(),
	"home":                  telling("value"),
	"home changed":          changing("value", "old|"),
	"home asked":            asking(),
	"home before asked":     asking(),
	"job":                   telling("a value|value"),
	"job changed":           changing("a value|value"),
	"job asked":             asking(),
	"job before asked":      asking(),
	"employer":              telling("value"),
	"employer changed":      changing("value", "old|"),
	"employer asked":        asking(),
	"employer before asked": asking(),
	"partner":               telling("kind", "value"),
	"partner ended":         changing("kind|", "value"),
	"partner again":         telling("kind", "value"),
	"partner asked":         asking("kind"),
	"pet":                   telling("kind", "value"),
	"pet got":               telling("kind", "value"),
	"pet corrected":         changing("value", "old"),
	"pet died":              telling("kind|", "value"),
	"pet asked":             asking("kind"),
	"diet":                  telling("value"),
	"diet changed":          changing("value", "old|"),
	"diet asked":            asking(),
	"food":                  telling("value"),
	"food changed":          changing("value", "old|"),
	"food asked":            asking(),
	"allergy":               telling("value"),
	"allergy asked":         asking(),
	"birthday":              telling("value"),
	"birthday asked":        asking(),
	"sibling":               telling("kind", "value"),
	"sibling asked":         asking("kind"),
	"sibling home":          telling("kind", "value"),
	"sibling home changed":  changing("kind", "value"),
	"sibling home asked":    asking("kind"),
	"therapist":             telling("value"),
	"therapist asked":       asking(),
	"car":                   telling("a value|value"),
	"car changed":           changing("a value|value", "old|"),
	"car asked":             asking(),
	"car before asked":      asking(),
	"instrument":            telling("value"),
	"instrument asked":      asking(),
	"never asked":           asking(),
	"goal":                  telling("value"),
	"plan":                  telling("value", "when"),
	"plan asked":            asking("value"),
	"feeling":               telling(),
}

// readWordings reads the embedded files.
func readWordings() (wordings, error) { return readWordingsOf(wordingFiles) }

func readWordingsOf(files fs.FS) (wordings, error) {
	names, err := fs.Glob(files, "wordings/*.txt")
	if err != nil {
		return nil, err
	}
	w := wordings{}
	for _, file := range names {
		text, err := fs.ReadFile(files, file)
		if err != nil {
			return nil, err
		}
		if err := w.add(string(text)); err != nil {
			return nil, fmt.Errorf("%s: %w", path.Base(file), err)
		}
	}
	return w, w.complete()
}

// add adds the sections of a file: each is its name in brackets and one wording per line. Empty lines do not count.
func (w wordings) add(file string) error {
	section, n := "", 0
	for line := range strings.Lines(file) {
		n++
		var err error
		switch line = strings.TrimSpace(line); {
		case line == "":
		case line[0] == '[' && strings.HasSuffix(line, "]"):
			section = line[1 : len(line)-1]
			err = w.begin(section)
		default:
			err = w.addWording(section, line)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w: %q", n, err, line)
		}
	}
	return nil
}

// begin begins a section.
func (w wordings) begin(section string) error {
	if _, known := forms[section]; !known {
		return errors.New("unknown section")
	}
	if _, begun := w[section]; begun {
		return errors.New("this section exists already: write it once")
	}
	w[section] = nil
	return nil
}

func (w wordings) addWording(section, wording string) error {
	if section == "" {
		return errors.New("a wording before the first section")
	}
	if slices.Contains(w[section], wording) {
		return errors.New("the section holds this wording already")
	}
	if err := forms[section].check(wording); err != nil {
		return fmt.Errorf("in [%s]: %w", section, err)
	}
	w[section] = append(w[section], wording)
	return nil
}

// placeholder matches a placeholder of a wording.
var placeholder = regexp.MustCompile(`\{([a-z ]+)\}`)

// check returns an error if a wording holds other placeholders than those of the form.
func (f form) check(wording string) error {
	if strings.ContainsAny(placeholder.ReplaceAllString(wording, ""), "{}") {
		return errors.New("a brace that belongs to no placeholder")
	}
	var used, allowed []string
	for _, found := range placeholder.FindAllStringSubmatch(wording, -1) {
		used = append(used, found[1])
	}
	for _, one := range f.holds {
		names := strings.Split(one, "|")
		if !slices.Contains(names, "") && !slices.ContainsFunc(names, func(n string) bool { return slices.Contains(used, n) }) {
			return fmt.Errorf("{%s} is missing", strings.Join(names, "} or {"))
		}
		allowed = append(allowed, names...)
	}
	for _, name := range used {
		if !slices.Contains(allowed, name) {
			return fmt.Errorf("unknown placeholder {%s}", name)
		}
	}
	return nil
}

// complete returns an error if a section is missing or has too few wordings.
func (w wordings) complete() error {
	for _, section := range slices.Sorted(maps.Keys(forms)) {
		if have, want := len(w[section]), forms[section].least; have < want {
			return fmt.Errorf("section [%s] has %d wordings: write at least %d", section, have, want)
		}
	}
	return nil
}

// phrasebook hands out wordings. None comes again before all others of its section came.
type phrasebook struct {
	all, left wordings
}

func newPhrasebook(all wordings) *phrasebook { return &phrasebook{all: all, left: wordings{}} }

// next returns a wording of a section.
func (p *phrasebook) next(r *rand.Rand, section string) string {
	left := p.left[section]
	if len(left) == 0 {
		left = slices.Clone(p.all[section])
	}
	i := r.IntN(len(left))
	wording := left[i]
	p.left[section] = slices.Delete(left, i, i+1)
	return wording
}

// blanks holds the values of placeholders.
type blanks struct{ value, kind, old, when string }

// fill returns a wording with its placeholders filled.
func (b blanks) fill(wording string) string {
	return strings.NewReplacer(
		"{a value}", withArticle(b.value), "{value}", b.value, "{kind}", b.kind, "{old}", b.old, "{when}", b.when,
	).Replace(wording)
}

// withArticle returns a noun with its indefinite article.
func withArticle(noun string) string {
	if noun != "" && strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}
