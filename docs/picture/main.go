// Picture runs a short conversation with the real program in a terminal and prints the resulting screen. From it,
// freeze makes docs/conversation.svg (`make picture`). It is a separate module, so that the program does not depend on
// the drawing libraries.
//
// Nothing on the screen depends on the day or the machine. The remembered messages are three days old, the time zone is
// chosen so that it is morning, and the home directory is shown as ~.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// earlier holds what Ann said three days before the conversation.
var earlier = []string{
	"Hi, I am Ann. I live in Porto and work as a nurse.",
	"I have a job interview tomorrow.",
}

// lines holds what Ann types.
var lines = []string{
	"It went well! I moved to Lisbon for it, with my dog Tom.",
	"Where did I live before?",
	"And what is my dog called?",
	"What do you know about me?",
}

// persona is the prefix of the persona's answers.
const persona = "Nell Harrow:"

func main() {
	if err := picture(os.Stdout, time.Now().UTC()); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

// picture prints the screen of the conversation.
func picture(out io.Writer, now time.Time) (err error) {
	if len(os.Args) != 2 {
		return errors.New("give the path of the program to talk with")
	}
	program, err := filepath.Abs(os.Args[1])
	if err != nil {
		return err
	}
	home, err := os.MkdirTemp("", "familiar-picture-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	data := filepath.Join(home, ".local", "share", "familiar")
	if err := prepare(data, now); err != nil {
		return err
	}
	command := func(args ...string) *exec.Cmd {
		cmd := exec.Command(program, args...)
		cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color"}
		return cmd
	}
	if said, err := command("replay", filepath.Join(data, "earlier.jsonl")).CombinedOutput(); err != nil {
		return fmt.Errorf("replay: %w: %s", err, said)
	}
	text, err := talk(command("chat", "--as", "Ann"), home, lines)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(out, "$ familiar chat --as Ann\n"+text)
	return err
}

// prepare writes the configuration and the earlier messages into the data directory.
func prepare(data string, now time.Time) error {
	if err := os.MkdirAll(data, 0o700); err != nil {
		return err
	}
	east := (9 - now.Hour() + 24) % 24 // hours, so that it is past nine in the morning
	if east > 12 {
		east -= 24
	}
	zone := fmt.Sprintf("timezone: Etc/GMT%+d\n", -east) // Etc zones have inverted signs
	if err := os.WriteFile(filepath.Join(data, "familiar.yaml"), []byte(zone), 0o600); err != nil {
		return err
	}
	var told strings.Builder
	for i, text := range earlier {
		at := now.Add(-72*time.Hour + time.Duration(i)*time.Minute).Format(time.RFC3339)
		fmt.Fprintf(&told, "{\"room\": \"Ann\", \"direct\": true, \"from\": \"Ann\", \"at\": %q, \"text\": %q}\n", at, text)
	}
	return os.WriteFile(filepath.Join(data, "earlier.jsonl"), []byte(told.String()), 0o600)
}
