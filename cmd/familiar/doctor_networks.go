package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"familiar/channels"
	"familiar/channels/discord"
	"familiar/channels/telegram"
	"familiar/channels/whatsapp"
	"familiar/config"
	"familiar/memory"
)

// networkPatience is how long the doctor waits for one network.
const networkPatience = 15 * time.Second

// networkChecks ask each network what only it knows.
var networkChecks = map[string]func(ctx context.Context, a *app) ([]finding, error){
	"telegram": checkTelegram, "discord": checkDiscord, "whatsapp": checkWhatsApp,
}

// checkNetworks asks the networks that are configured, one after the other, and looks at how those stand that are
// served just now.
func checkNetworks(ctx context.Context, a *app) (all []finding, _ error) {
	names := networkNames(a.loaded)
	if len(names) == 0 {
		return []finding{{"networks", stateOK, "there is none to ask", ""}}, nil
	}
	standings, err := a.standings(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		found, err := askNetwork(ctx, a, name)
		if err != nil { // no reason not to ask the others
			found = append(found, notAsked(name, err))
		}
		if !slices.ContainsFunc(found, finding.bad) {
			found = append(found, published(standings, name)...)
		}
		all = append(all, found...)
	}
	return all, nil
}

// published is what is the matter with a network by the word of the process that serves it, if one does.
func published(standings []standing, name string) (found []finding) {
	for _, s := range standings {
		if s.Channel != name || !s.served || s.Problem == "" {
			continue
		}
		state := stateWarning
		if s.Fatal() {
			state = stateProblem
		}
		found = append(found, finding{name, state, s.Problem, s.NextStep})
	}
	return found
}

func askNetwork(ctx context.Context, a *app, name string) ([]finding, error) {
	ctx, cancel := context.WithTimeout(ctx, networkPatience)
	defer cancel()
	return networkChecks[name](ctx, a)
}

// notAsked is what is to be said of a network that refused, or could not be reached.
func notAsked(name string, err error) finding {
	if refused, ok := errors.AsType[*channels.StateError](err); ok {
		return finding{name, stateProblem, refused.State.Problem, refused.State.NextStep}
	}
	return finding{name, stateWarning, "it could not be asked: " + err.Error(), "check the connection and base_url, and ask again"}
}

// bystander is a host for looking only: it keeps and reports nothing.
func (a *app) bystander() channels.Host {
	return channels.Host{Report: func(channels.State) {}, Now: a.now, Jitter: func(time.Duration) time.Duration { return 0 }}
}

// readable is what a setting refers to. That it cannot be read is the configuration's problem, and told there.
func readable(s config.Secret) (token string, ok bool) {
	token, err := s.Reveal()
	return token, err == nil
}

// checkTelegram asks for the bot's account: the token, what keeps the bot from hearing anything, and from hearing groups.
func checkTelegram(ctx context.Context, a *app) (found []finding, _ error) {
	c := a.loaded.Channels.Telegram
	token, ok := readable(c.Token)
	if !ok {
		return nil, nil
	}
	account, err := telegram.New(telegram.Options{Token: token, Endpoint: c.BaseURL, Host: a.bystander()}).Account(ctx)
	if err != nil {
		return nil, err
	}
	if account.Webhook != "" {
		says, do := telegram.WebhookSet(account.Webhook)
		found = append(found, finding{"telegram", stateProblem, says, do})
	}
	if c.Groups.Hears() && !account.ReadsAllGroupMessages {
		says, do := telegram.PrivacyMode()
		found = append(found, finding{"telegram", stateWarning, says + ", unless it is an administrator there", do})
	}
	return append(found, itIs("telegram", account.Name)), nil
}

// checkDiscord asks for the application: the token, and whether it may read what it is to listen to.
func checkDiscord(ctx context.Context, a *app) (found []finding, _ error) {
	c := a.loaded.Channels.Discord
	token, ok := readable(c.Token)
	if !ok {
		return nil, nil
	}
	account, err := discord.New(discord.Options{Token: token, Endpoint: c.BaseURL, Host: a.bystander()}).Account(ctx)
	if err != nil {
		return nil, err
	}
	if c.WantsContent() && !account.MessageContent {
		says, do := discord.ContentWithheld()
		found = append(found, finding{"discord", stateProblem, says, do})
	}
	return append(found, itIs("discord", account.Name)), nil
}

// checkWhatsApp looks at the link. The network is not asked: that would take the session from whoever serves it.
func checkWhatsApp(ctx context.Context, a *app) (found []finding, _ error) {
	path := a.loaded.Home.WhatsApp()
	standing, err := a.lookAtLink(ctx, path)
	if err != nil {
		return nil, err
	}
	if standing.Exposed {
		found = append(found, finding{"whatsapp", stateWarning, "others on this machine can read " + path + ", and whoever can is the persona there", "chmod 600 " + path})
	}
	switch {
	case !standing.Linked:
		found = append(found, finding{"whatsapp", stateProblem, standing.Problem, standing.NextStep})
	case standing.Problem != "":
		found = append(found, finding{"whatsapp", stateWarning, standing.Problem, standing.NextStep})
	default:
		found = append(found, finding{"whatsapp", stateOK, "an account is linked", ""})
	}
	return found, nil
}

// lookAtLink looks at WhatsApp's session with what the memory knows of the phone; there may be none yet.
func (a *app) lookAtLink(ctx context.Context, path string) (standing whatsapp.LinkStatus, err error) {
	look := func(shelf channels.StateStore) error {
		host := a.bystander()
		host.Store = shelf
		standing, err = whatsapp.CheckLink(ctx, whatsapp.Options{Database: path, Host: host})
		return err
	}
	err = a.withStore(ctx, func(_ *config.Config, store *memory.Store) error { return look(store.Shelf("whatsapp")) })
	if errors.Is(err, memory.ErrNotFound) {
		err = look(nil)
	}
	return standing, err
}

// itIs says who the persona is on a network.
func itIs(network, account string) finding {
	return finding{network, stateOK, "it is " + account + " there", ""}
}
