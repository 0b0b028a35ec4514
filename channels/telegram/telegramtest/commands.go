package telegramtest

import (
	"encoding/json"
	"net/http"
	"regexp"
	"unicode/utf8"
)

// Command is a command as people see it in the app.
type Command struct {
	Name        string `json:"command"`
	Description string `json:"description"`
}

var (
	commandName = regexp.MustCompile(`^[a-z0-9_]{1,32}$`)
	twoLetters  = regexp.MustCompile(`^([a-z]{2})?$`)
)

// menuKey identifies the list of commands that a request is about: its scope and its language, "" for all others.
func menuKey(params map[string]string) string {
	scope := struct{ Type string }{"default"}
	_ = json.Unmarshal([]byte(params["scope"]), &scope) // there may be none
	return scope.Type + "/" + params["language_code"]
}

// setCommands stores a list of commands within Telegram's limits. The caller holds the lock.
func (s *Server) setCommands(params map[string]string) response {
	var all []Command
	if json.Unmarshal([]byte(params["commands"]), &all) != nil || len(all) > 100 {
		return refuse(http.StatusBadRequest, "Bad Request: can't parse commands")
	}
	if !twoLetters.MatchString(params["language_code"]) {
		return refuse(http.StatusBadRequest, "Bad Request: invalid language code specified")
	}
	for _, c := range all {
		if !commandName.MatchString(c.Name) {
			return refuse(http.StatusBadRequest, "Bad Request: BOT_COMMAND_INVALID")
		}
		if n := utf8.RuneCountInString(c.Description); n < 1 || n > 256 {
			return refuse(http.StatusBadRequest, "Bad Request: BOT_COMMAND_DESCRIPTION_INVALID")
		}
	}
	s.menus[menuKey(params)] = all
	return grant(true)
}

// Commands returns what somebody sees in a chat whose app is in a language: the list that Telegram finds first.
func (s *Server) Commands(chat int64, language string) []Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	scope := "all_group_chats"
	if s.chats[chat].Type == "private" {
		scope = "all_private_chats"
	}
	for _, key := range []string{scope + "/" + language, scope + "/", "default/" + language, "default/"} {
		if all, ok := s.menus[key]; ok {
			return all
		}
	}
	return nil
}
