package picture

import (
	"bytes"
	"encoding/binary"
	"image"

	"github.com/trawlhq/trawl/document/ocr"
)

// orientation is how a camera was held, as Exif numbers it: 1 is upright, 3 upside
// down, 6 and 8 on its side. Those between are mirrored, which no camera does.
type orientation uint16

// apply returns the picture upright.
func (o orientation) apply(p *image.Gray) *image.Gray {
	switch o {
	case 3:
		return ocr.Turned(p, 2)
	case 6:
		return ocr.Turned(p, 1)
	case 8:
		return ocr.Turned(p, 3)
	}
	return p
}

// Marks of JPEG files.
const (
	jpegMark     = 0xff
	jpegExif     = 0xe1
	jpegScan     = 0xda
	exifHead     = "Exif\x00\x00"
	tagTurned    = 0x0112
	exifEntries  = 200 // that are looked at
	exifTypeSize = 12
)

// orientationOf reads how the camera was held from the Exif part of a JPEG file; 0 if
// it does not say so.
func orientationOf(body []byte) orientation {
	if !bytes.HasPrefix(body, []byte{0xff, 0xd8}) {
		return 0
	}
	for rest := body[2:]; len(rest) >= 4 && rest[0] == jpegMark && rest[1] != jpegScan; {
		length := int(binary.BigEndian.Uint16(rest[2:]))
		if length < 2 || len(rest) < 2+length {
			return 0
		}
		if exif, ok := bytes.CutPrefix(rest[4:2+length], []byte(exifHead)); ok && rest[1] == jpegExif {
			return exifOrientation(exif)
		}
		rest = rest[2+length:]
	}
	return 0
}

// exifOrientation finds the tag in the first directory, which is one of TIFF.
func exifOrientation(exif []byte) orientation {
	if len(exif) < 8 || !isTIFF(exif) {
		return 0
	}
	order := byteOrder(exif)
	at := int64(order.Uint32(exif[4:]))
	if at+2 > int64(len(exif)) {
		return 0
	}
	entries := exif[at+2:]
	for range min(int(order.Uint16(exif[at:])), exifEntries, len(entries)/exifTypeSize) {
		if order.Uint16(entries) == tagTurned {
			return orientation(order.Uint16(entries[8:]))
		}
		entries = entries[exifTypeSize:]
	}
	return 0
}
