package layout

import "familiar/web/visitor"

// liveFlag marks a page that is updated while somebody looks.
func liveFlag(p Page) string {
	if len(p.Live) == 0 {
		return ""
	}
	return "on"
}

// ownPath is where the pages of people about themselves begin. Their session has a cookie of its own, which counts below this path.
const ownPath = "/me"

func homePath(who visitor.Visitor) string {
	if who.Role == visitor.Person {
		return ownPath
	}
	return "/"
}

// under returns the path of something that the dashboard and the own pages of people both have.
func under(who visitor.Visitor, path string) string {
	if who.Role == visitor.Person {
		return ownPath + path
	}
	return path
}

// currentPersona returns the persona that the page is about, or the first.
func currentPersona(all []Persona, p Page) string {
	if p.Persona != "" || len(all) == 0 {
		return p.Persona
	}
	return all[0].Key
}

// samePage returns the section of a page for another persona.
func samePage(p Page, persona string) string {
	switch p.Section {
	case Home, Simulate, Own:
		return Of(persona, string(People))
	}
	return Of(persona, string(p.Section))
}

// Tab is one of several pages that lead to each other.
type Tab struct{ Key, Label, Path string }

// Current returns the value of aria-current for a link: "page" for one to the page itself.
func Current(current bool) string {
	if current {
		return "page"
	}
	return "false"
}
