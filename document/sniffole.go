package document

import "github.com/trawlhq/trawl/document/compound"

// sniffCompound tells what a compound file is by the streams in its first folder:
// those in others belong to what is embedded in it.
func sniffCompound(body []byte, claimed Kind) Kind {
	file, err := compound.Open(body)
	switch {
	case err != nil:
		if claimed == DOC || claimed == XLS || claimed == PPT || claimed == MSG {
			return claimed // it is damaged, of which its reader tells
		}
	case file.Has("EncryptedPackage"):
		if claimed == XLSX || claimed == XLS || claimed == XLSB {
			return XLSX // whose reader will find it encrypted
		}
		if claimed == PPTX || claimed == PPT {
			return PPTX
		}
		return DOCX
	case file.Has("WordDocument"):
		return DOC
	case file.Has("Workbook"), file.Has("Book"):
		return XLS
	case file.Has("PowerPoint Document"):
		return PPT
	case file.Has("__properties_version1.0"):
		return MSG
	}
	return Unknown
}
