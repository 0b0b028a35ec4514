package character_test

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"image"
	"image/png"
	"reflect"
	"strings"
	"testing"

	"familiar/persona/character"
)

// TestCardsSurviveEveryFormat writes cards of all versions in every format and reads them again: nothing of what they had is
// lost or changed.
func TestCardsSurviveEveryFormat(t *testing.T) {
	all := cards()
	if len(all) < 30 {
		t.Fatalf("only %d cards", len(all))
	}
	for name, text := range all {
		t.Run(name, func(t *testing.T) {
			file := parse(t, []byte(text))
			for _, format := range character.Formats {
				for _, spec := range []character.Spec{character.V2, character.V3} {
					data, err := character.Write(file.Character, file, format, spec)
					if err != nil {
						t.Fatal(err)
					}
					again := parse(t, data)
					if again.Format != format {
						t.Errorf("%s became %s", format, again.Format)
					}
					back, err := again.JSON(max(file.Spec, character.V2))
					if err != nil {
						t.Fatal(err)
					}
					holdsAll(t, text, back)
				}
			}
		})
	}
}

// holdsAll checks that a card has everything that the original had, with the same values.
func holdsAll(t *testing.T, original string, got []byte) {
	t.Helper()
	before, after := generic(t, []byte(original)), generic(t, got)
	data := after["data"].(map[string]any)
	if _, nested := before["data"]; !nested {
		before = map[string]any{"data": before}
	}
	for key, want := range before {
		if key == "data" || key == "spec" && want == "chara_card_v9" {
			continue
		}
		if !reflect.DeepEqual(after[key], want) && key != "spec" && key != "spec_version" {
			t.Errorf("%s is %v, was %v", key, after[key], want)
		}
	}
	for key, want := range before["data"].(map[string]any) {
		if !reflect.DeepEqual(data[key], want) {
			t.Errorf("data.%s is %v, was %v", key, data[key], want)
		}
	}
}

// TestACardOfItsVersionIsWrittenAsItWas checks that the same version is equal JSON, if it had all that it requires.
func TestACardOfItsVersionIsWrittenAsItWas(t *testing.T) {
	for _, name := range []string{"v2-00", "v2-05", "v2-09", "v3-00", "v3-03", "v3-07", "sillytavern"} {
		text := cards()[name]
		file := parse(t, []byte(text))
		data, err := file.JSON(file.Spec)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(generic(t, data), generic(t, []byte(text))) {
			t.Errorf("%s: got %s\nwant %s", name, data, text)
		}
	}
}

func TestOnlyWhatChangedIsWritten(t *testing.T) {
	file := parse(t, []byte(cards()["sillytavern"]))
	file.Scenario = "A ship."
	if err := file.SetAuthorNote(character.Note{Text: "It snows.", Depth: 1, Role: "user"}); err != nil {
		t.Fatal(err)
	}
	data, err := file.JSON(character.V2)
	if err != nil {
		t.Fatal(err)
	}
	got, want := generic(t, data), generic(t, []byte(cards()["sillytavern"]))
	in := want["data"].(map[string]any)
	in["scenario"] = "A ship."
	in["extensions"].(map[string]any)["depth_prompt"] = map[string]any{"prompt": "It snows.", "depth": json.Number("1"), "role": "user"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

func TestWhatACardSays(t *testing.T) {
	c := parse(t, []byte(cards()["v3-05"]))
	if c.Spec != character.V3 || c.Name != "Mira" || c.PostHistory != "Short." || len(c.Greetings()) != 2 || len(c.Book.Entries) != 1 {
		t.Errorf("%+v", c.Character)
	}
	if n := c.AuthorNote(); n != (character.Note{Text: "It rains.", Depth: 2, Role: "system"}) {
		t.Errorf("the note is %+v", n)
	}
	if got := parse(t, []byte(cards()["sillytavern"])).Unknown(); strings.Join(got, " ") !=
		"avatar (beside data) chat (beside data) create_date (beside data) description (beside data) extensions.other/app fav (beside data) first_mes (beside data) mes_example (beside data) name (beside data) personality (beside data) scenario (beside data) talkativeness (beside data)" {
		t.Errorf("unknown: %q", got)
	}
	if w := parse(t, []byte(cards()["v2-03"])).Warnings; len(w) != 1 || !strings.Contains(w[0], "tags") {
		t.Errorf("warnings: %q", w)
	}
}

// picture draws an image with a chunk of its own, and something behind its end.
func picture(t *testing.T, chunks ...[]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	end := out.Len() - 12
	data := bytes.Clone(out.Bytes()[:end])
	for _, c := range chunks {
		data = append(data, c...)
	}
	return append(data, out.Bytes()[end:]...)
}

func chunk(kind, body string) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	out = append(out, kind+body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

func packed(text string) string {
	var out bytes.Buffer
	z := zlib.NewWriter(&out)
	z.Write([]byte(text)) //nolint:errcheck // into memory
	z.Close()             //nolint:errcheck // into memory
	return out.String()
}

func b64(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

func TestPicturesStayAsTheyAre(t *testing.T) {
	animation, comment := chunk("acTL", "\x00\x00\x00\x01\x00\x00\x00\x00"), chunk("tEXt", "Comment\x00mine")
	bare := append(picture(t, animation, comment), "behind the end"...)
	file := parse(t, []byte(cards()["v3-05"]))
	once, err := file.PNG(bare)
	if err != nil {
		t.Fatal(err)
	}
	if again := parse(t, once); again.Spec != character.V3 {
		t.Errorf("%v is read from a picture with both versions", again.Spec)
	}
	twice, err := parse(t, []byte(cards()["v2-02"])).PNG(once)
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{once, twice} {
		if n := bytes.Count(data, []byte("tEXtchara\x00")) + bytes.Count(data, []byte("tEXtccv3\x00")); n != 2 {
			t.Errorf("it has %d cards", n)
		}
		if stripped := withoutCards(t, data); !bytes.Equal(stripped, bare) {
			t.Error("the picture changed")
		}
	}
	if _, after, _ := bytes.Cut(once, []byte("tEXtchara\x00")); strings.Contains(decoded(t, after), "@@depth") {
		t.Error("version 2 shows decorators as text")
	}
}

// decoded returns the base64 at the head of data.
func decoded(t *testing.T, data []byte) string {
	t.Helper()
	end := bytes.IndexFunc(data, func(r rune) bool { return r > 'z' || r < '+' })
	text, err := base64.StdEncoding.DecodeString(string(data[:end/4*4]))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// withoutCards removes the chunks with cards.
func withoutCards(t *testing.T, data []byte) []byte {
	t.Helper()
	out := bytes.Clone(data[:8])
	for rest := data[8:]; ; {
		size := 12 + int(binary.BigEndian.Uint32(rest))
		if kind := string(rest[4:8]); kind != "tEXt" || !bytes.HasPrefix(rest[8:], []byte("chara\x00")) && !bytes.HasPrefix(rest[8:], []byte("ccv3\x00")) {
			out = append(out, rest[:size]...)
			if kind == "IEND" {
				return append(out, rest[size:]...)
			}
		}
		rest = rest[size:]
	}
}

func TestEveryKindOfTextInAPicture(t *testing.T) {
	card := cards()["v2-00"]
	for name, c := range map[string][]byte{
		"tEXt": chunk("tEXt", "chara\x00"+b64(card)), "zTXt": chunk("zTXt", "chara\x00\x00"+packed(b64(card))),
		"iTXt": chunk("iTXt", "chara\x00\x00\x00en\x00x\x00"+b64(card)), "iTXt packed": chunk("iTXt", "chara\x00\x01\x00\x00\x00"+packed(b64(card))),
		"no base64": chunk("tEXt", "chara\x00"+card), "no padding": chunk("tEXt", "Chara\x00"+strings.TrimRight(b64(card), "=")+"\n"),
	} {
		if got := parse(t, picture(t, c)); got.Name != "Mira" || got.Format != character.PNG {
			t.Errorf("%s: %+v", name, got)
		}
	}
	got := parse(t, picture(t, chunk("tEXt", "ccv3\x00????"), chunk("tEXt", "chara\x00"+b64(card))))
	if got.Spec != character.V2 || len(got.Warnings) != 1 {
		t.Errorf("a damaged version 3 gives %v, %q", got.Spec, got.Warnings)
	}
}

func TestArchivesKeepTheirFiles(t *testing.T) {
	icon := picture(t)
	card := object(m{"spec": "chara_card_v3", "spec_version": "3.0", "data": merged(fields(), m{
		"assets": []m{{"type": "icon", "uri": "embeded://assets/icon/images/main.png", "name": "main", "ext": "png"}},
	})})
	file := parse(t, archive(t, map[string]string{"card.json": card, "assets/icon/images/main.png": string(icon), "module.risum": "x"}))
	file.Scenario = "Elsewhere."
	data, err := character.Write(file.Character, file, character.CHARX, character.V3)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if got := parse(t, data); len(z.File) != 3 || z.File[0].Name != "card.json" || got.Scenario != "Elsewhere." {
		t.Errorf("%d files, %q", len(z.File), got.Scenario)
	}
	image, err := character.Write(file.Character, file, character.PNG, character.V3)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(withoutCards(t, image), icon) {
		t.Error("the icon is not the picture")
	}
}

func archive(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, text := range files {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func parse(t *testing.T, data []byte) *character.File {
	t.Helper()
	file, err := character.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// generic decodes JSON with the digits of its numbers.
func generic(t *testing.T, data []byte) (v map[string]any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}
