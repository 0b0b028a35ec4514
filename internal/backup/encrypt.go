package backup

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"filippo.io/age"
)

// ErrLocked reports an encrypted backup that the given keys do not open.
var ErrLocked = errors.New("encrypted with another key")

// Keys encrypt and decrypt backups. The zero value leaves them as they are.
type Keys struct {
	recipients []age.Recipient
	identities []age.Identity
}

// passphraseWork is the cost of trying a passphrase: 2 to this power. 16 takes 64 MB and a fifth of a second, which a machine
// that runs a bot has.
const passphraseWork = 16

// NewKeys returns keys. recipients are age's public keys ("age1…"), to which backups are encrypted. A passphrase, "" for none,
// encrypts and decrypts instead of them. identity, "" for none, is the private key for the recipients ("AGE-SECRET-KEY-1…") in
// the format of age's key files. Errors show no key.
func NewKeys(recipients []string, passphrase, identity string) (k Keys, err error) {
	if len(recipients) > 0 && passphrase != "" {
		return k, errors.New("backups are encrypted either to recipients or with a passphrase: leave out one of them")
	}
	for _, text := range recipients {
		r, err := ParseRecipient(text)
		if err != nil {
			return k, err
		}
		k.recipients = append(k.recipients, r)
	}
	if passphrase != "" {
		r, err := age.NewScryptRecipient(passphrase)
		if err != nil {
			return k, errors.New("the passphrase for backups cannot be used")
		}
		r.SetWorkFactor(passphraseWork)
		id, err := age.NewScryptIdentity(passphrase)
		if err != nil {
			return k, errors.New("the passphrase for backups cannot be used")
		}
		k.recipients, k.identities = []age.Recipient{r}, []age.Identity{id}
	}
	if identity != "" {
		ids, err := age.ParseIdentities(strings.NewReader(identity))
		if err != nil {
			return k, errors.New("the private key for backups is not one of age: it begins with AGE-SECRET-KEY-")
		}
		k.identities = append(k.identities, ids...)
	}
	return k, nil
}

// ParseRecipient parses a public key of age.
func ParseRecipient(text string) (age.Recipient, error) {
	all, err := age.ParseRecipients(strings.NewReader(text))
	if err != nil || len(all) != 1 {
		return nil, errors.New("takes public keys of age, such as age1ql3z7hjy…: `age-keygen` makes one")
	}
	return all[0], nil
}

// encrypts reports whether backups are encrypted.
func (k Keys) encrypts() bool { return len(k.recipients) > 0 }

// encrypt returns a writer of what is encrypted to w. Closing it does not close w.
func (k Keys) encrypt(w io.Writer) (io.WriteCloser, error) {
	if !k.encrypts() {
		return nopCloser{w}, nil
	}
	return age.Encrypt(w, k.recipients...)
}

// decrypt returns the contents of an encrypted file.
func (k Keys) decrypt(r io.Reader) (io.Reader, error) {
	if len(k.identities) == 0 {
		return nil, fmt.Errorf("%w: name its passphrase in backup.passphrase, or its private key with --identity", ErrLocked)
	}
	out, err := age.Decrypt(r, k.identities...)
	var other *age.NoIdentityMatchError
	if errors.As(err, &other) {
		return nil, fmt.Errorf("%w than the passphrase or the private key that was given", ErrLocked)
	}
	if err != nil {
		return nil, invalid(err)
	}
	return out, nil
}

type nopCloser struct{ io.Writer }

// Close does nothing.
func (nopCloser) Close() error { return nil }
