package discord

import (
	"testing"
	"time"

	"familiar/channels"
	"familiar/channels/channeltest"
	"familiar/channels/discord/discordtest"
)

func TestAFileIsSentWithItsName(t *testing.T) {
	server := discordtest.Start()
	t.Cleanup(server.Close)
	c := New(Options{Token: discordtest.Token, Endpoint: server.URL, Host: channels.Host{
		Report: func(channels.State) {}, Store: channeltest.NewStateStore(), Now: time.Now,
	}})
	dm := server.DM(discordtest.User{ID: "77", Username: "ann"})
	where, err := c.SendFile(t.Context(), channels.Room{Channel: "discord", ID: dm}, channels.OutgoingFile{Name: "copy.zip", Type: "application/zip", Content: []byte("everything")})
	if err != nil || where != "" {
		t.Fatal(where, err)
	}
	shown := server.Messages(dm)
	if len(shown) != 1 || len(shown[0].Attachments) != 1 || shown[0].Attachments[0].Filename != "copy.zip" || shown[0].Attachments[0].Size != int64(len("everything")) {
		t.Errorf("shown %+v", shown)
	}
	if _, err := c.SendFile(t.Context(), channels.Room{ID: "404"}, channels.OutgoingFile{Name: "copy.zip"}); err == nil {
		t.Error("sent to a channel that does not exist")
	}
}
