package log

// Requirement IDs in the test names of this package. channels/README.md lists the requirements of channels in full.
//
//	ID   requirement
//	A11  No token, phone number, code or message text appears in a log or an error.
//	A14  A channel reports its connection state, with the time since when it holds and a sentence for the operator.
