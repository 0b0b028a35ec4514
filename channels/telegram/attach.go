package telegram

import (
	"fmt"
	"strings"

	"familiar/channels"
)

// attach adds the attachments of m.
func (h *incoming) attach(m *message) {
	switch {
	case m.Animation != nil: // has a document that is the same file
		h.add("animation", m.Animation.FileID, m.Animation.FileName, "", m.Animation.FileSize)
	case m.Document != nil:
		h.add("file", m.Document.FileID, m.Document.FileName, "", m.Document.FileSize)
		switch kind, _, _ := strings.Cut(m.Document.MimeType, "/"); kind {
		case "image":
			h.isPicture()
		case "audio":
			h.isRecording(m, channels.PassedOn, 0)
		}
	}
	if n := len(m.Photo); n > 0 { // the same picture in several sizes, the largest last
		h.add("image", m.Photo[n-1].FileID, "", "", m.Photo[n-1].FileSize)
		h.isPicture()
	}
	if m.Voice != nil {
		h.add("voice", m.Voice.FileID, "", "", m.Voice.FileSize)
		h.isRecording(m, channels.OwnSpeech, m.Voice.Duration)
	}
	if m.Audio != nil {
		h.add("audio", m.Audio.FileID, m.Audio.FileName, m.Audio.Title, m.Audio.FileSize)
		h.isRecording(m, channels.PassedOn, m.Audio.Duration)
	}
	if m.Video != nil {
		h.add("video", m.Video.FileID, m.Video.FileName, "", m.Video.FileSize)
	}
	if m.VideoNote != nil {
		h.add("video", m.VideoNote.FileID, "", "", m.VideoNote.FileSize)
		h.isRecording(m, channels.OwnSpeech, m.VideoNote.Duration)
	}
	if m.Sticker != nil {
		h.add("sticker", m.Sticker.FileID, "", m.Sticker.Emoji, m.Sticker.FileSize)
	}
	h.attachFacts(m)
}

// attachFacts adds attachments without a file.
func (h *incoming) attachFacts(m *message) {
	switch {
	case m.Venue != nil: // has a location as well
		h.add("place", "", "", m.Venue.Title+", "+m.Venue.Address, 0)
	case m.Location != nil:
		h.add("location", "", "", fmt.Sprintf("%.5f, %.5f", m.Location.Latitude, m.Location.Longitude), 0)
	case m.Contact != nil:
		h.add("contact", "", "", strings.TrimSpace(m.Contact.FirstName+" "+m.Contact.LastName), 0)
	case m.Poll != nil:
		h.add("poll", "", "", m.Poll.Question, 0)
	case m.Dice != nil:
		h.add("dice", "", "", fmt.Sprintf("%s %d", m.Dice.Emoji, m.Dice.Value), 0)
	case m.Other != "":
		h.add(strings.ReplaceAll(m.Other, "_", " "), "", "", "", 0)
	}
}

func (h *incoming) add(kind, file, name, caption string, size int) {
	h.Attachments = append(h.Attachments, channels.Attachment{Kind: kind, Name: name, Caption: caption, Size: int64(size)})
	h.files = append(h.files, file)
}
