package plain

import (
	"cmp"
	"embed"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"familiar/internal/text"
	"familiar/memory/when"
	"familiar/persona/card"
	"familiar/persona/words"
)

//go:embed wordings/*.txt intents/*.txt
var files embed.FS

// tongue is what the plain voice can say and understands of small talk in one language.
type tongue struct {
	// tag is the BCP 47 primary subtag.
	tag string
	// wordings are the variants of each wording by key.
	wordings map[string][]string
	// whole and part are phrases by what they mean: those that are a message, and those that a message contains.
	whole, part []phrase
	// lists are words by what they have in common.
	lists map[string]words.Set
}

// phrase is a phrase of small talk, without accents, with its words.
type phrase struct {
	text   string
	words  []string
	intent string
}

// tongues are the languages, each read on first use.
var tongues = map[string]func() *tongue{"en": lazily("en"), "de": lazily("de"), "es": lazily("es"), "fr": lazily("fr")}

func lazily(tag string) func() *tongue {
	return sync.OnceValue(func() *tongue { return readTongue(tag) })
}

// tongueOf returns the language of a tag. It is English, and foreign is set, if that has no wordings.
func tongueOf(tag string) (t *tongue, foreign bool) {
	if read, known := tongues[tag]; known {
		return read(), false
	}
	return tongues["en"](), true
}

func readTongue(tag string) *tongue {
	t := &tongue{tag: tag, wordings: map[string][]string{}, lists: map[string]words.Set{}}
	for _, entry := range words.Entries(files, "wordings/"+tag+".txt") {
		t.wordings[entry[0]] = strings.Split(entry[1], " | ")
	}
	for _, entry := range slices.Concat(words.Entries(files, "intents/"+tag+".txt"), words.Entries(files, "intents/signs.txt")) {
		kind, intent, _ := strings.Cut(entry[0], " ")
		if kind == "list" {
			t.lists[intent] = words.Of(entry[1])
			continue
		}
		for phrased := range strings.SplitSeq(entry[1], " | ") {
			said := plainly(words.Tokens(phrased))
			if p := (phrase{said, words.Tokens(said), intent}); kind == "is" {
				t.whole = append(t.whole, p)
			} else {
				t.part = append(t.part, p)
			}
		}
	}
	return t
}

// plainly joins words without their accents, which many people leave out.
func plainly(tokens []string) string { return text.Plain(strings.Join(tokens, " ")) }

// has reports whether the language has a wording.
func (t *tongue) has(key string) bool { return len(t.wordings[key]) > 0 }

// english reports whether sentences can be made from beliefs, which are described in English only.
func (t *tongue) english() bool { return t.tag == "en" }

// intentOf returns what small talk a message is, "" for none. Words that open or close a message do not count.
func (t *tongue) intentOf(text string) string {
	if sign := t.signOf(text); sign != "" {
		return sign
	}
	said := words.Tokens(words.Head(text))
	for len(said) > 1 && t.lists["openers"].Has(said[0]) {
		said = said[1:]
	}
	for len(said) > 1 && t.lists["closers"].Has(said[len(said)-1]) {
		said = said[:len(said)-1]
	}
	whole := plainly(said)
	if i := slices.IndexFunc(t.whole, func(p phrase) bool { return p.text == whole }); i >= 0 {
		return t.whole[i].intent
	}
	said = words.Tokens(whole)
	if i := slices.IndexFunc(t.part, func(p phrase) bool { return words.HoldsAll(said, p.words) }); i >= 0 {
		return t.part[i].intent
	}
	return ""
}

// signOf returns the intent of a text made only of emoji or an emoticon, "" for others.
func (t *tongue) signOf(text string) string {
	text = strings.TrimSpace(text)
	lettered := strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	for _, intent := range []string{"sign.bad", "sign.good"} {
		for sign := range t.lists[intent] {
			if text == sign || !lettered && strings.Contains(text, sign) {
				return intent
			}
		}
	}
	if !lettered && strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.So, r) }) {
		return "sign.neutral"
	}
	return ""
}

// put words the template under key. A hash of the text being answered chooses the variant, so that the same scene gets
// the same words; it takes the next one if the persona's last message used that variant. fill are pairs of a slot and
// its text; a slot {x} has a twin {X} that starts with a capital. {,} is the form of address after a comma.
func (co *composer) put(key string, fill ...string) string {
	return co.putFrom(co.hash(key), key, fill...)
}

// fill words the template under key with a list in a slot. empty is the key for an empty list, "" to say nothing.
func (co *composer) fill(key, slot string, list []string, empty string) string {
	if len(list) == 0 {
		return co.put(empty)
	}
	return co.put(key, slot, co.listed(list))
}

// putFrom is put, starting with the variant of that number.
func (co *composer) putFrom(number uint32, key string, fill ...string) string {
	variants := co.tongue.wordings[key]
	if own := co.tongue.wordings[key+"."+co.manner]; len(own) > 0 {
		variants = own
	}
	name := ""
	if co.names(key) {
		name = ", " + co.scene.Address
	}
	pairs := []string{"{,}", name}
	for i := 0; i+1 < len(fill); i += 2 {
		slot, text := fill[i], fill[i+1]
		if strings.HasSuffix(text, ".") { // "Washington D.C." ends a sentence with one full stop
			pairs = append(pairs, "{"+slot+"}.", text, "{"+words.Capital(slot)+"}.", words.Capital(text))
		}
		pairs = append(pairs, "{"+slot+"}", text, "{"+words.Capital(slot)+"}", words.Capital(text))
	}
	slots := strings.NewReplacer(pairs...)
	for i := range variants {
		template := variants[(int(number%uint32(len(variants)))+i)%len(variants)]
		text := slots.Replace(template)
		if i == len(variants)-1 || !strings.Contains(co.lastSaid, strings.TrimRight(text, ".!?")) {
			co.named = co.named || name != "" && strings.Contains(template, "{,}")
			return text
		}
	}
	return ""
}

// hash returns a hash of the text being answered, salted with the subject of the choice.
func (co *composer) hash(salt string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(salt + "\x00" + co.seed))
	return h.Sum32()
}

// names reports whether this template may address the person by name: once per reply, always if required, and otherwise
// occasionally.
func (co *composer) names(key string) bool {
	return co.scene.Address != "" && !co.named && (co.mustName() || co.hash("name "+key)%3 == 0)
}

// mustName reports whether the reply must address the person by name: they asked for a form of address, are being
// greeted, or others are listening.
func (co *composer) mustName() bool {
	_, insisting := co.scene.Insists()
	return co.scene.Address != "" && (co.scene.Greeting != nil || !co.scene.Direct || insisting)
}

// mannerOf returns the manner that a card names first: by its traits, the strongest first, else by its voice.
func mannerOf(c *card.Card) string {
	en, _ := tongueOf("en")
	described := ""
	for _, t := range slices.SortedStableFunc(slices.Values(c.Traits), func(a, b card.Trait) int { return cmp.Compare(b.Strength, a.Strength) }) {
		described += t.Name + " "
	}
	for w := range words.Each(described + c.Voice) {
		for _, manner := range []string{"formal", "playful", "warm"} {
			if en.lists[manner].Has(w) {
				return manner
			}
		}
	}
	return ""
}

// turnTable maps words to what they become when the persona repeats them to their author.
var turnTable = map[string]string{
	"i": "you", "i'm": "you're", "im": "you're", "i've": "you've", "i'd": "you'd", "i'll": "you'll", "me": "you", "my": "your",
	"mine": "yours", "myself": "yourself", "your": "my", "yours": "mine", "yourself": "myself", "you": "me",
}

// turned repeats the person's words back to them: "my mum" becomes "your mum". It changes English only.
func (co *composer) turned(text string) string {
	if !co.tongue.english() {
		return text
	}
	fields := strings.Fields(text)
	for i, w := range fields {
		if to, ok := turnTable[words.PlainWord(w)]; ok {
			fields[i] = strings.Replace(words.PlainApostrophe(w), words.BareWord(w), to, 1)
		}
	}
	return strings.Join(fields, " ")
}

// endSentence adds a full stop to a text without an end mark.
func endSentence(text string) string {
	text = strings.TrimSpace(text)
	last, _ := utf8.DecodeLastRuneInString(text)
	if text == "" || strings.ContainsRune(".!?…”", last) {
		return text
	}
	return text + "."
}

// listed joins values in prose: "a, b and c".
func (co *composer) listed(values []string) string {
	last := len(values) - 1
	if last < 1 {
		return strings.Join(values, "")
	}
	return strings.Join(values[:last], ", ") + " " + co.tongue.wordings["and"][0] + " " + values[last]
}

// day words the day something was said: "just now", "earlier today", "yesterday", "on 25 May", with the year if it is
// another one.
func (co *composer) day(at time.Time) string {
	now, key := co.scene.Now, "day.date.year"
	at = at.In(now.Location())
	switch ago := now.Sub(at); {
	case ago >= 0 && ago < justNow:
		key = "day.now"
	case at.Format(time.DateOnly) == now.Format(time.DateOnly):
		key = "day.today"
	case at.Format(time.DateOnly) == now.AddDate(0, 0, -1).Format(time.DateOnly):
		key = "day.yesterday"
	case at.Year() == now.Year():
		key = "day.date"
	}
	return strings.NewReplacer("{d}", strconv.Itoa(at.Day()), "{month}", co.tongue.wordings["months"][at.Month()-1], "{year}", strconv.Itoa(at.Year())).
		Replace(co.tongue.wordings[key][0])
}

// time words a time span within a sentence: "on 7 May 2023", "yesterday", "in May". In other languages than English it
// is the day, with the hour if one was named.
func (co *composer) time(from, until time.Time) string {
	if !co.tongue.english() {
		said := co.day(from)
		if until.Sub(from) < 24*time.Hour && (from.Hour() != 0 || from.Minute() != 0) {
			said += ", " + from.Format("15:04")
		}
		return said
	}
	said := when.Format(from, until, co.scene.Now)
	if said == "" || said[0] < '0' || said[0] > '9' {
		return said
	}
	return "on " + said
}
