package persona

// forgetting tells who asks in talk to have something forgotten how that is done. It is not done on a word alone: what
// is forgotten is gone, and /forget names exactly what.
func (sp *speaking) forgetting() []string {
	for _, line := range sp.scene.Heard {
		switch r := line.Reading; {
		case r.Forget && r.ForgetAbout != "":
			return []string{sp.put("forget.about", "about", r.ForgetAbout)}
		case r.Forget:
			return []string{sp.put("forget.how")}
		}
	}
	return nil
}
