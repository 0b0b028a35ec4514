package lore

import (
	"slices"
	"strconv"
	"strings"
)

// decorators are what an entry's content says about when and where it is shown.
type decorators struct {
	activate, dontActivate, constant          bool
	keepAfterMatch, stopAfterMatch, trimFirst bool
	after, every, scanDepth, depth, greeting  *int
	role, position                            string
	additional, exclude                       []string
}

// splitDecorators separates the decorators at the head of a content from its text. Unknown ones, and those whose value does
// not fit, are replaced by the first of their fallbacks that is known. Of two with one name the first counts. names are
// those that were used.
func splitDecorators(content string) (d decorators, names []string, text string) {
	rest := strings.TrimLeft(content, "\r\n")
	used, fallback := map[string]bool{}, false // fallback: the last decorator did not apply
	for strings.HasPrefix(rest, "@@") {
		line, after, _ := strings.Cut(rest, "\n")
		rest = strings.TrimLeft(after, "\r\n")
		line = strings.TrimSpace(line)
		alternative := strings.HasPrefix(line, "@@@")
		name, value, _ := strings.Cut(strings.TrimLeft(line, "@"), " ")
		if alternative && !fallback || used[name] {
			continue
		}
		known := d.set(name, strings.TrimSpace(value))
		if fallback = !known; known {
			used[name] = true
			names = append(names, name)
		}
	}
	return d, names, strings.TrimSpace(rest)
}

// WithoutDecorators returns the text of a content.
func WithoutDecorators(content string) string {
	_, _, text := splitDecorators(content)
	return text
}

// set applies a decorator and reports whether it is known and its value fits.
func (d *decorators) set(name, value string) bool {
	switch name {
	case "activate":
		d.activate = true
	case "dont_activate":
		d.dontActivate = true
	case "constant":
		d.constant = true
	case "keep_activate_after_match":
		d.keepAfterMatch = true
	case "dont_activate_after_match":
		d.stopAfterMatch = true
	case "ignore_on_max_context":
		d.trimFirst = true
	case "activate_only_after":
		return count(&d.after, value, 0)
	case "activate_only_every":
		return count(&d.every, value, 1)
	case "scan_depth":
		return count(&d.scanDepth, value, 0)
	case "depth":
		return count(&d.depth, value, 0)
	case "is_greeting":
		return count(&d.greeting, value, 0)
	case "role":
		return oneOf(&d.role, value, RoleSystem, RoleUser, RoleAssistant)
	case "position":
		return oneOf(&d.position, value, "before_desc", "after_desc", "personality", "scenario")
	case "additional_keys":
		d.additional = listed(value)
		return len(d.additional) > 0
	case "exclude_keys":
		d.exclude = listed(value)
		return len(d.exclude) > 0
	default:
		return false
	}
	return true
}

// oneOf reads one of several words.
func oneOf(into *string, value string, words ...string) bool {
	if !slices.Contains(words, value) {
		return false
	}
	*into = value
	return true
}

// count reads a whole number that is at least least.
func count(into **int, value string, least int) bool {
	n, err := strconv.Atoi(value)
	if err != nil || n < least {
		return false
	}
	*into = &n
	return true
}

// listed splits values at commas.
func listed(value string) (all []string) {
	for part := range strings.SplitSeq(value, ",") {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, part)
		}
	}
	return all
}
