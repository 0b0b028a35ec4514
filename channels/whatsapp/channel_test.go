package whatsapp

import (
	"encoding/json"
	"testing"
	"time"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"google.golang.org/protobuf/proto"

	"familiar/channels"
	"familiar/channels/channeltest"
	"familiar/channels/whatsapp/whatsapptest"
)

func TestConformance(t *testing.T) {
	channeltest.Run(t, func(t *testing.T) channeltest.Network {
		r := newRig(t)
		ann := r.person(1)
		room := channels.Room{Channel: Name, ID: ann.JID().String()}
		// The room is in a conversation: the channel never writes first to people who have not written.
		note, _ := json.Marshal(chatRecord{LastReceived: time.Now().Unix(), Started: true})
		r.store.Set(chatPrefix+room.ID, string(note))
		return channeltest.Network{
			Channel: r.channel(), Room: room, Redelivers: true,
			Say: func(event, text string) {
				if _, err := ann.Send(t.Context(), ownJID, "3EB0"+event, &waE2E.Message{Conversation: proto.String(text)}); err != nil {
					t.Error(err)
				}
			},
			Shown: func() []string { return ann.Shown(ownJID) },
			Voices: func() (all [][]byte) {
				seen := map[string]bool{}
				for _, e := range ann.Received() {
					a := e.Message.GetAudioMessage()
					if a == nil || seen[e.Info.ID] || !a.GetPTT() || a.GetSeconds() != 2 || len(a.GetWaveform()) != 3 {
						continue
					}
					seen[e.Info.ID] = true
					file, err := ann.Client.Download(t.Context(), a)
					if err != nil {
						t.Error(err)
					}
					all = append(all, file)
				}
				return all
			},
			// A frame that arrives while whatsmeow disconnects has no reader, and the goroutine waits forever to pass
			// it on.
			LeakyFuncs: []string{"socket.(*FrameSocket).frameComplete"},
		}
	})
}

func TestAddressedInADirectChat(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	s := r.start()
	id := r.says(ann, ownJID, "good morning")
	m := s.next(0)
	if m.ID != id || m.Text != "good morning" || !m.Direct || !m.Addressed || m.Author.Name != "Person 1" {
		t.Errorf("received %+v", m)
	}
	receipt := s.answers("k-0", m, "good morning to you")
	eventually(t, "the answer is shown", func() bool { return len(ann.Shown(ownJID)) == 1 })
	got := ann.Received()[0]
	if got.Info.ID != receipt.ID || whatsapptest.Text(got.Message) != "good morning to you" {
		t.Errorf("shown %+v", got.Message)
	}
	if about := got.Message.GetExtendedTextMessage().GetContextInfo(); about.GetStanzaID() != id || about.GetQuotedMessage().GetConversation() != "good morning" {
		t.Errorf("it answers %+v, want %s", about, id)
	}
}
