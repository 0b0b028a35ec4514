package transfer

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"familiar/memory/turns"
)

// The files of an archive.
const (
	archivePage = "index.html"
	archiveData = "data.jsonl"
)

// File is one file of an archive.
type File struct {
	Name    string
	Content []byte
}

// PersonArchive returns everything that is known of a person as two files: a page to read, and the export it was made from (see
// Export), which another familiar can import. It holds nothing of others beyond what was said to the person. Times are shown in
// zone. It fails with ErrNotFound for an unknown person.
func (s *Store) PersonArchive(ctx context.Context, person int64, zone *time.Location) ([]File, error) {
	if person <= 0 {
		return nil, errors.New("an archive needs a person")
	}
	var data bytes.Buffer
	if _, err := s.Export(ctx, &data, ExportOptions{Person: person}); err != nil {
		return nil, err
	}
	page, err := readPage(bytes.NewReader(data.Bytes()), zone)
	if err != nil {
		return nil, fmt.Errorf("read the export of person %d: %w", person, err)
	}
	return []File{{archivePage, page.html()}, {archiveData, data.Bytes()}}, nil
}

// PersonZip returns the archive of a person with the files they sent, as a ZIP archive dated at, and how many files were left out
// because they have more than most bytes together.
func (s *Store) PersonZip(ctx context.Context, person int64, zone *time.Location, most int64, at time.Time) (content []byte, leftOut int, err error) {
	files, err := s.PersonArchive(ctx, person, zone)
	if err != nil {
		return nil, 0, err
	}
	sent, leftOut, err := s.PersonFiles(ctx, person, most)
	if err != nil {
		return nil, 0, err
	}
	content, err = Zip(append(files, sent...), at)
	return content, leftOut, err
}

// Zip returns the files as a ZIP archive, dated at.
func Zip(files []File, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		w, err := z.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Deflate, Modified: at})
		if err == nil {
			_, err = w.Write(f.Content)
		}
		if err != nil {
			return nil, fmt.Errorf("pack %s: %w", f.Name, err)
		}
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("pack the archive: %w", err)
	}
	return b.Bytes(), nil
}

// page is what the page shows. Its times are text.
type page struct {
	Names    []string
	Accounts []string
	Timezone string
	Since    string
	Training []pageLine
	Beliefs  []pageLine
	Open     []pageLine
	Noted    []pageLine
	Rooms    []*pageRoom
}

// pageLine is one line with its time.
type pageLine struct{ At, Who, Text string }

// pageRoom is what was said in one room.
type pageRoom struct {
	Title string
	Lines []pageLine
}

// pageRecord has the fields of all records that the page shows.
type pageRecord struct {
	Kind, Name, Timezone, Channel, Room, Title, Text, Origin, Relation, Value, Subject, Status, Persona, What string

	ID      int64
	Direct  bool
	Handles []struct{ Channel, Handle string }
	At      time.Time
	Created time.Time `json:"created_at"`
}

// readPage reads what the page shows from an export.
func readPage(export io.Reader, zone *time.Location) (*page, error) {
	p := &page{}
	rooms := map[int64]*pageRoom{}
	shown := func(at time.Time) string {
		if at.IsZero() {
			return ""
		}
		return at.In(zone).Format("2006-01-02 15:04")
	}
	lines := bufio.NewReader(export)
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := p.add(line, rooms, shown); err != nil {
			return nil, err
		}
	}
	kept := p.Rooms[:0]
	for _, r := range p.Rooms {
		if len(r.Lines) > 0 {
			kept = append(kept, r)
		}
	}
	p.Rooms = kept
	return p, nil
}

// add adds one record. Field names that mean a name in one kind and a number in another are decoded by kind.
func (p *page) add(line []byte, rooms map[int64]*pageRoom, shown func(time.Time) string) error {
	var kind struct{ Kind string }
	if err := json.Unmarshal(line, &kind); err != nil {
		return err
	}
	switch kind.Kind {
	case "message":
		return p.addMessage(line, rooms, shown)
	case "training_consent":
		return p.addConsent(line, shown)
	case "person", "room", "memory", "belief", "loop":
	default:
		return nil
	}
	var r pageRecord
	if err := json.Unmarshal(line, &r); err != nil {
		return err
	}
	switch r.Kind {
	case "person":
		p.addPerson(r, shown)
	case "room":
		title := r.Title
		if r.Direct {
			title = "direct talk"
		} else if title == "" {
			title = "a group"
		}
		room := &pageRoom{Title: fmt.Sprintf("%s, %s", r.Channel, title)}
		rooms[r.ID], p.Rooms = room, append(p.Rooms, room)
	case "memory":
		if r.Origin != "said" { // those are the messages
			p.Noted = append(p.Noted, pageLine{shown(r.Created), r.Origin, r.Text})
		}
	case "belief":
		if r.Status == "active" {
			p.Beliefs = append(p.Beliefs, pageLine{shown(r.Created), r.Relation, r.Value})
		}
	case "loop":
		p.Open = append(p.Open, pageLine{shown(r.Created), r.What + ", " + r.Status, r.Text})
	}
	return nil
}

// addConsent adds whether the person agreed to training. Its person and room are numbers.
func (p *page) addConsent(line []byte, shown func(time.Time) string) error {
	var c struct {
		Persona string
		Given   bool
		At      time.Time
	}
	if err := json.Unmarshal(line, &c); err != nil {
		return err
	}
	text := "not allowed any more"
	if c.Given {
		text = "allowed"
	}
	p.Training = append(p.Training, pageLine{shown(c.At), c.Persona, text})
	return nil
}

// addPerson adds the person; the operator, who told something of them, is not on the page.
func (p *page) addPerson(r pageRecord, shown func(time.Time) string) {
	for _, h := range r.Handles {
		if h.Channel == turns.OperatorChannel {
			return
		}
		p.Accounts = append(p.Accounts, h.Channel+":"+h.Handle)
	}
	p.Names, p.Timezone, p.Since = append(p.Names, r.Name), r.Timezone, shown(r.Created)
}

func (p *page) addMessage(line []byte, rooms map[int64]*pageRoom, shown func(time.Time) string) error {
	var m struct {
		Room, Person  int64
		Persona, Text string
		At            time.Time
	}
	if err := json.Unmarshal(line, &m); err != nil {
		return err
	}
	room := rooms[m.Room]
	if room == nil || m.Text == "" {
		return nil
	}
	who := "you"
	if m.Person == 0 {
		who = m.Persona
	}
	room.Lines = append(room.Lines, pageLine{shown(m.At), who, m.Text})
	return nil
}
