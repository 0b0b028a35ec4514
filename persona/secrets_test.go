package persona_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"familiar/channels"
	"familiar/internal/llm"
	"familiar/memory/memorytest"
	"familiar/persona"
	"familiar/persona/modelvoice"
	"familiar/prompts"
)

// TestS15APastedSecretReachesNobody pastes secrets of several kinds as text, names, captions and file names, with both voices. The model repeats its whole prompt.
// Neither may be in a prompt, in an answer, or in any byte on disk.
func TestS15APastedSecretReachesNobody(t *testing.T) {
	secrets := []string{
		"sk-abcdefghijklmnopqrstuvwx", "4111 1111 1111 1111", "hunter2", "DE89 3704 0044 0532 0130 00", "123-45-6789", "4711", "zonnebloem",
		"123456:AAabcdefghijklmnopqrstuvwxyz0123456", "s3cr3t",
	}
	clean := func(where, text string) {
		t.Helper()
		for _, secret := range secrets {
			if strings.Contains(text, secret) {
				t.Errorf("%s contains %s", where, secret)
			}
		}
	}
	for _, withModel := range []bool{false, true} {
		clock := &memorytest.Clock{}
		path := filepath.Join(t.TempDir(), "familiar.db")
		store := memorytest.OpenFile(t, path, clock)
		asked := 0
		repeat := llm.Answering(func(p prompts.Prompt) string {
			asked++
			var all strings.Builder
			for _, m := range p.Messages {
				all.WriteString(m.Text + "\n")
			}
			clean("a prompt", p.System+all.String())
			return "You said: " + strings.ReplaceAll(all.String(), p.Fence, "")
		})
		s := playOn(t, store, clock, func(p *persona.Parts) {
			if withModel {
				p.Voice = modelvoice.NewVoice(repeat, modelvoice.Meter{Store: store, Persona: "tess", Now: clock.Now}, 0, 0)
			}
		})
		for _, said := range []string{
			"My api key is " + secrets[0] + ", keep it safe", "my card number is " + secrets[1] + " and my dog is called Rex",
			"my password is " + secrets[2], "pay me at " + secrets[3] + " please", "my SSN is " + secrets[4], "my PIN is " + secrets[5],
			"wachtwoord: " + secrets[6], "the bot is " + secrets[7], "open https://ann:" + secrets[8] + "@example.org/ for me", "What is my card number?", "what did I say my password was?", "/memory key", "/why",
		} {
			m := s.message("ann", said)
			m.Author.Name = "Ann " + secrets[0]
			m.RoomTitle = "call 4111 1111 1111 1111"
			m.Attachments = []channels.Attachment{{Kind: "image", Caption: "card 4111 1111\n1111 1111"}, {Kind: "file", Name: "PIN: 4711.txt"}}
			if strings.HasPrefix(said, "/") {
				m.Attachments = nil
			}
			clean("an answer", s.answer(m))
		}
		s.quit()
		for _, file := range []string{path, path + "-wal"} {
			raw, err := os.ReadFile(file)
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			clean(file, string(raw))
		}
		if (asked > 0) != withModel {
			t.Errorf("the model was asked %d times", asked)
		}
	}
}
