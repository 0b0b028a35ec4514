package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"familiar/channels/all"
	"familiar/cmd/familiar/internal/networks"
	"familiar/config"
	"familiar/internal/settings"
	"familiar/internal/strictyaml"
)

// TestEachRegisteredChannelIsEverywhere enables all channels with unresolvable secrets, so that no network is used, and
// looks for each of them wherever an operator would.
func TestEachRegisteredChannelIsEverywhere(t *testing.T) {
	t.Parallel()
	fresh := t.TempDir()
	familiar(t, fresh, nil, "", "init", "--provider", "none").must(t)
	written, err := os.ReadFile(filepath.Join(fresh, "familiar.yaml"))
	if err != nil {
		t.Fatal(err)
	}

	text := "channels:\n"
	for _, c := range all.Channels {
		text += "  " + c.Name() + ": {" + c.Section.ServedBy + ": " + enable(c.Section) + "}\n"
	}
	home := configure(t, text)
	shown := familiar(t, home, nil, "", "config", "show").must(t).out
	examined := familiar(t, home, nil, "", "doctor").out
	listed := familiar(t, home, nil, "", "channel", "list").must(t).out
	status := familiar(t, home, nil, "", "channel", "status").must(t).out
	for _, c := range all.Channels {
		name := c.Name()
		if !strings.Contains(string(written), "\n  "+name+":\n") {
			t.Errorf("init writes no section %s", name)
		}
		own := strictyaml.Fields(reflect.ValueOf(c.Section.New()).Elem())
		for _, key := range append([]string{own[0].Name, own[len(own)-1].Name}, "direct", "groups", "attachments.cap") {
			if !strings.Contains(shown, "channels."+name+"."+key+"\t") {
				t.Errorf("config show lacks channels.%s.%s:\n%s", name, key, shown)
			}
		}
		if !strings.Contains(examined, name+"\tok\tdirect: pairing") {
			t.Errorf("the doctor does not look at %s:\n%s", name, examined)
		}
		for what, lines := range map[string]string{"channel list": listed, "channel status": status} {
			if !strings.Contains("\n"+lines, "\n"+name+"\t") {
				t.Errorf("%s lacks %s:\n%s", what, name, lines)
			}
		}
		one := familiar(t, home, nil, "", "channel", "status", name).must(t).out
		if !strings.Contains(one, name) || !strings.Contains(one, networks.NotRunning) {
			t.Errorf("channel status %s: %s", name, one)
		}
	}
}

// enable returns the value that enables a channel.
func enable(s settings.Section) string {
	for _, f := range strictyaml.Fields(reflect.ValueOf(s.New()).Elem()) {
		if _, secret := f.Value.Interface().(config.Secret); f.Name == s.ServedBy && secret {
			return "env:UNSET"
		}
	}
	return "true"
}
