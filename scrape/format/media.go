package format

import "github.com/trawlhq/trawl"

// Formats of the API that this version does not make.
var (
	audio = Format{Name: trawl.FormatAudio, Unsupported: true, Needs: needsMedia}
	video = Format{Name: trawl.FormatVideo, Unsupported: true, Needs: needsMedia}
)

func needsMedia(*trawl.Format) Needs { return Needs{Credits: 4} }
