package picture

import (
	"bytes"
	"encoding/binary"
)

// The marks of a JPEG file and of the Exif data in it that lead to its orientation.
const (
	startOfScan    = 0xDA
	appSegment     = 0xE1
	orientationTag = 0x0112
	entrySize      = 12
)

// orientation returns the Exif orientation of a JPEG file, upright if it names none.
func orientation(file []byte) int {
	for at := 2; at+4 <= len(file) && file[at] == 0xFF && file[at+1] != startOfScan; {
		length := int(binary.BigEndian.Uint16(file[at+2:]))
		if length < 2 || at+2+length > len(file) {
			break
		}
		segment := file[at+4 : at+2+length]
		if tiff, ok := bytes.CutPrefix(segment, []byte("Exif\x00\x00")); ok && file[at+1] == appSegment {
			return tiffOrientation(tiff)
		}
		at += 2 + length
	}
	return upright
}

// tiffOrientation reads the orientation in the first directory of TIFF data.
func tiffOrientation(tiff []byte) int {
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case len(tiff) < 8:
		return upright
	case tiff[0] == 'M':
		order = binary.BigEndian
	}
	directory := int(order.Uint32(tiff[4:]))
	if directory < 0 || directory+2 > len(tiff) {
		return upright
	}
	for i := range int(order.Uint16(tiff[directory:])) {
		at := directory + 2 + i*entrySize
		if at+entrySize > len(tiff) {
			break
		}
		if order.Uint16(tiff[at:]) == orientationTag {
			return int(order.Uint16(tiff[at+8:]))
		}
	}
	return upright
}
