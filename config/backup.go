package config

import (
	"path/filepath"
	"regexp"
)

// Backup configures the backups of the home.
type Backup struct {
	// Schedule is when the job makes one.
	Schedule Schedule `yaml:"schedule"`
	// KeepDaily is of how many days the last backup is kept, 1–365, KeepWeekly of how many weeks before those, 0–520.
	KeepDaily  int `yaml:"keep_daily"`
	KeepWeekly int `yaml:"keep_weekly"`
	// Dir is the directory of the backups, in the home if it is relative; "" for Home.Backups(). Several homes may share it.
	Dir string `yaml:"dir"`
	// EncryptTo are public keys of age, to which backups are encrypted.
	EncryptTo []string `yaml:"encrypt_to"`
	// Passphrase refers to a passphrase, with which they are encrypted instead.
	Passphrase Secret `yaml:"passphrase"`
}

// BackupDir returns the directory of the backups.
func (c *Config) BackupDir() string {
	switch dir := c.Backup.Dir; {
	case dir == "":
		return c.Home.Backups()
	case !filepath.IsAbs(dir):
		return filepath.Join(string(c.Home), dir)
	default:
		return filepath.Clean(dir)
	}
}

// recipient matches public keys of age, the plain ones and those that also withstand quantum computers.
var recipient = regexp.MustCompile(`^age1[0-9a-z]{40,}$`)

func (c *Config) validateBackup() {
	c.checkInt("backup.keep_daily", c.Backup.KeepDaily, 1, 365)
	c.checkInt("backup.keep_weekly", c.Backup.KeepWeekly, 0, 520)
	for _, key := range c.Backup.EncryptTo {
		if !recipient.MatchString(key) {
			c.doc.Problemf("backup.encrypt_to", "takes public keys of age, such as age1ql3z7hjy…: `age-keygen` makes one")
			break
		}
	}
	if len(c.Backup.EncryptTo) > 0 && c.Backup.Passphrase.Set() {
		c.doc.Problemf("backup.passphrase", "cannot be used together with encrypt_to: leave out one of them")
	}
}
