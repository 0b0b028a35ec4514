//go:build !nowhatsapp

package all

import "familiar/channels/whatsapp"

// whatsApp links go.mau.fi/libsignal, which is under the GPL-3.0. The build tag nowhatsapp leaves it out.
var whatsApp = whatsapp.Registration
