package telegram

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"familiar/channels"
)

// The Bot API's limits for a list of commands.
const (
	maxCommands    = 100
	maxDescription = 256
)

// Commands sets the commands that Run publishes.
func (t *Telegram) Commands(all []channels.Command) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.commands = slices.Clone(all)
}

// menu is the list of commands that people see in one kind of chat and whose app is in one language.
type menu struct {
	scope tgbotapi.BotCommandScope
	// language is an ISO 639-1 code, "" for all languages without a menu of their own.
	language string
	commands []tgbotapi.BotCommand
}

// key identifies the menu among those published.
func (m menu) key() string { return m.scope.Type + "/" + m.language }

// menus returns the lists of the commands: for each language, one for direct chats and one for groups, where everybody reads
// the answers.
func menus(all []channels.Command) []menu {
	languages := map[string]bool{"en": true}
	for _, c := range all {
		for language := range c.Help {
			languages[language] = true
		}
	}
	inGroups := slices.DeleteFunc(slices.Clone(all), func(c channels.Command) bool { return c.Where < channels.InGroup })
	var lists []menu
	for _, language := range slices.Sorted(maps.Keys(languages)) {
		lists = append(lists,
			menuOf(tgbotapi.NewBotCommandScopeAllPrivateChats(), language, all),
			menuOf(tgbotapi.NewBotCommandScopeAllGroupChats(), language, inGroups))
	}
	return lists
}

func menuOf(scope tgbotapi.BotCommandScope, language string, all []channels.Command) menu {
	m := menu{scope: scope, language: language, commands: []tgbotapi.BotCommand{}}
	if language == "en" {
		m.language = ""
	}
	for _, c := range all[:min(len(all), maxCommands)] {
		text := strings.TrimSpace(c.Args.In(language) + " " + c.Help.In(language))
		m.commands = append(m.commands, tgbotapi.BotCommand{Command: c.Name, Description: channels.Shorten(text, maxDescription)})
	}
	return m
}

// publishCommands publishes the commands. A failure does not prevent conversations.
func (t *Telegram) publishCommands(ctx context.Context, self *identity) {
	t.mu.Lock()
	all := t.commands
	t.mu.Unlock()
	self.commands = make(map[string]bool)
	for _, c := range all {
		self.commands[c.Name] = true
	}
	if len(all) == 0 {
		return
	}
	if err := t.publishMenus(ctx, fmt.Sprintf("commands/%d", self.ID), menus(all)); err != nil {
		t.log.Warn("publish the Telegram commands", "commands", slices.Sorted(maps.Keys(self.commands)), "error", err)
	}
}

// publishMenus publishes the menus that changed and deletes those that are no longer wanted. Telegram limits these requests, so
// that the hash of each published menu is kept in the state store under stored.
func (t *Telegram) publishMenus(ctx context.Context, stored string, wanted []menu) error {
	published, err := t.published(ctx, stored)
	if err != nil {
		return err
	}
	obsolete := maps.Clone(published)
	for _, m := range wanted {
		delete(obsolete, m.key())
		hash, err := hashOf(m.commands)
		if err != nil {
			return err
		}
		if published[m.key()] == hash {
			continue
		}
		set := tgbotapi.NewSetMyCommandsWithScopeAndLanguage(m.scope, m.language, m.commands...)
		if err := t.publish(ctx, "setMyCommands", set); err != nil {
			return err
		}
		published[m.key()] = hash
		if err := t.storePublished(ctx, stored, published); err != nil {
			return err
		}
	}
	for key := range obsolete {
		scope, language, _ := strings.Cut(key, "/")
		drop := tgbotapi.NewDeleteMyCommandsWithScopeAndLanguage(tgbotapi.BotCommandScope{Type: scope}, language)
		if err := t.publish(ctx, "deleteMyCommands", drop); err != nil {
			return err
		}
		delete(published, key)
		if err := t.storePublished(ctx, stored, published); err != nil {
			return err
		}
	}
	return nil
}

// publish makes one request about a menu.
func (t *Telegram) publish(ctx context.Context, method string, c tgbotapi.Chattable) error {
	ctx, cancel := context.WithTimeout(ctx, responseTimeout)
	defer cancel()
	return t.api.request(ctx, method, c)
}

// published returns the hashes of the published menus by their keys. Earlier versions published one list for all chats and
// stored its text; that list is returned as a menu that nobody wants any more.
func (t *Telegram) published(ctx context.Context, stored string) (map[string]string, error) {
	text, err := t.host.Store.Get(ctx, stored)
	if errors.Is(err, channels.ErrNotFound) {
		return map[string]string{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look up the published commands: %w", err)
	}
	if strings.HasPrefix(text, "[") {
		return map[string]string{menu{scope: tgbotapi.NewBotCommandScopeDefault()}.key(): ""}, nil
	}
	hashes := map[string]string{}
	if err := json.Unmarshal([]byte(text), &hashes); err != nil {
		return nil, fmt.Errorf("read the published commands: %w", err)
	}
	return hashes, nil
}

func (t *Telegram) storePublished(ctx context.Context, stored string, hashes map[string]string) error {
	text, err := json.Marshal(hashes)
	if err == nil {
		err = t.host.Store.Put(ctx, stored, string(text))
	}
	if err != nil {
		return fmt.Errorf("record the published commands: %w", err)
	}
	return nil
}

func hashOf(commands []tgbotapi.BotCommand) (string, error) {
	text, err := json.Marshal(commands)
	if err != nil {
		return "", fmt.Errorf("write down the commands: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}
