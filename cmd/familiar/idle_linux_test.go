package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"familiar/internal/llm/llmtest"
	"familiar/internal/torture"
)

// idleMB is the maximum resident memory of an idle process that is connected to every network.
const idleMB = 60

// TestThreeIdleChannelsUseLittle runs a real binary, exchanges a few messages on every network, and measures it when it
// is idle.
func TestThreeIdleChannelsUseLittle(t *testing.T) {
	if !torture.On() {
		t.Skip("builds the binary and watches it do nothing for a minute; FAMILIAR_TORTURE=1 asks for it")
	}
	var all []*networkPeer
	env, config := slices.Clone(keyed), "channels:\n"
	for _, open := range networkPeers {
		o := open(t)
		all, env, config = append(all, o), append(env, o.env...), config+"  "+o.config+"\n"
	}
	home := configHome(t, llmtest.Serve(t, llmtest.Says("A heron, how lovely.")), config)
	for _, o := range all {
		if o.link != nil {
			o.link(home)
		}
	}
	cmd := command(home, env, "run")
	cmd.Path = buildReal(t)
	serving := launch(t, cmd)
	for _, o := range all {
		eventually(t, "somebody listens", o.serving)
		for room := range everybody {
			o.say(room, "I saw a heron.")
			eventually(t, "an answer", func() bool { return len(o.shown(room)) > 0 })
		}
	}
	const settles, watched = 10 * time.Second, time.Minute
	time.Sleep(settles)
	busy := cpuOf(t, cmd.Process.Pid)
	time.Sleep(watched)
	busy = cpuOf(t, cmd.Process.Pid) - busy
	resident, own := residentOf(t, cmd.Process.Pid, "VmRSS"), residentOf(t, cmd.Process.Pid, "RssAnon")
	t.Logf("idle on %d networks: %.1f MB resident, %.1f MB of them not of files; %v of CPU in %v", len(all), resident, own, busy, watched)
	if resident > idleMB {
		t.Errorf("%.1f MB are resident, at most %d may be", resident, idleMB)
	}
	for _, o := range all { // it was idle, not stopped
		o.say(0, "And a stork.")
		eventually(t, "another answer", func() bool { return len(o.shown(0)) > 1 })
	}
	serving.signal(syscall.SIGTERM)
	if code, _ := serving.exit(); code != 0 {
		t.Errorf("exit code %d; on standard error:\n%s", code, serving.errs)
	}
}

// buildReal builds the shipped binary plus the one file that points it to a test's WhatsApp server.
func buildReal(t *testing.T) (path string) {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]any{
		"Replace": map[string]string{filepath.Join(here, "loopback.go"): filepath.Join(here, "loopback_test.go")},
	})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, "familiar")
	if out, err := exec.Command("go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return path
}

// residentOf returns a memory size of a process in MB, as reported by the kernel.
func residentOf(t *testing.T, pid int, name string) float64 {
	t.Helper()
	for line := range strings.Lines(procFile(t, pid, "status")) {
		if fields := strings.Fields(line); fields[0] == name+":" {
			kB, err := strconv.Atoi(fields[1])
			if err != nil {
				t.Fatal(err)
			}
			return float64(kB) / 1024
		}
	}
	t.Fatalf("the kernel tells no %s", name)
	return 0
}

// cpuOf returns the CPU time of a process in the kernel's ticks of 1/100 s.
func cpuOf(t *testing.T, pid int) (busy time.Duration) {
	t.Helper()
	_, stat, _ := strings.Cut(procFile(t, pid, "stat"), ") ") // the command's name may contain any character
	for _, field := range strings.Fields(stat)[11:13] {
		ticks, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		busy += time.Duration(ticks) * 10 * time.Millisecond
	}
	return busy
}

func procFile(t *testing.T, pid int, name string) string {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
