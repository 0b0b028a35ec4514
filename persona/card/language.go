package card

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"familiar/internal/text"
)

// languageNames are the English names of languages by their ISO 639 code: those most used in chats.
var languageNames = map[string]string{
	"ar": "Arabic", "bn": "Bengali", "ca": "Catalan", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English",
	"es": "Spanish", "et": "Estonian", "fa": "Persian", "fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian",
	"hu": "Hungarian", "id": "Indonesian", "it": "Italian", "ja": "Japanese", "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian",
	"ms": "Malay", "nb": "Norwegian", "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian",
	"ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sr": "Serbian", "sv": "Swedish", "ta": "Tamil", "th": "Thai", "tl": "Filipino",
	"tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese", "zh": "Chinese",
}

// ownNames are the names of languages in themselves, where people are likely to use them.
var ownNames = map[string]string{
	"deutsch": "de", "español": "es", "castellano": "es", "français": "fr", "italiano": "it",
	"português": "pt", "nederlands": "nl", "русский": "ru", "polski": "pl", "svenska": "sv", "türkçe": "tr",
	"日本語": "ja", "中文": "zh", "한국어": "ko", "العربية": "ar", "українська": "uk", "čeština": "cs", "dansk": "da", "norsk": "no", "suomi": "fi",
}

// namedIn are the languages in which people name languages besides English and the language itself: those in which the persona
// understands requests.
var namedIn = []display.Namer{display.Languages(language.German), display.Languages(language.Spanish), display.Languages(language.French)}

// LanguageName returns the English name of a BCP 47 tag's language, the tag itself if the name is not known.
func LanguageName(tag string) string {
	base, _ := language.Make(tag).Base()
	if name := languageNames[base.String()]; name != "" {
		return name
	}
	return tag
}

// Languages returns the names of languages in English and in themselves, as LanguageNamed reads them, in alphabetical order.
var Languages = sync.OnceValue(func() []string {
	names := slices.AppendSeq(slices.Collect(maps.Values(languageNames)), maps.Keys(ownNames))
	slices.Sort(names)
	return slices.Compact(names)
})

// LanguageNamed returns the BCP 47 tag of a language that somebody names by its tag, its own name, or its name in
// English, German, Spanish or French, "" for none.
func LanguageNamed(name string) string {
	name = strings.TrimSpace(name)
	for own, tag := range ownNames {
		if text.Plain(own) == text.Plain(name) { // many people leave out accents
			return tag
		}
	}
	for tag, english := range languageNames {
		if strings.EqualFold(english, name) && tag != "nb" {
			return tag
		}
	}
	for _, in := range namedIn {
		for tag := range languageNames {
			if own := in.Name(language.Make(tag)); text.Plain(own) == text.Plain(name) && tag != "nb" {
				return tag
			}
		}
	}
	tag, err := language.Parse(name)
	if base, _ := tag.Base(); err != nil || languageNames[base.String()] == "" {
		return ""
	}
	return tag.String()
}
