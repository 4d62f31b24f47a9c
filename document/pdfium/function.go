package pdfium

// function is one of the functions of the library that are used here.
type function int

const (
	malloc function = iota
	free
	loadDocument
	closeDocument
	lastError
	pageCount
	metaText
	catalogLanguage
	pageSize
	loadPage
	closePage
	flatten
	annotations
	annotation
	annotationType
	closeAnnotation
	pageBox
	pageRotation
	pageArt
	setPageArt
	textLoad
	textClose
	textCount
	textUnicode
	textBox
	textTightBox
	textOrigin
	textObject
	textMatrix
	textUnmapped
	textObjectFont
	textObjectSize
	textObjectMode
	fontName
	fontFlags
	fontWeight
	fontAngle
	fontAscent
	fontDescent
	pageObjects
	pageObject
	formObjects
	formObject
	objectType
	objectBounds
	objectMatrix
	objectMark
	objectFill
	objectStroke
	objectStrokeWidth
	pathMode
	pathSegments
	pathSegment
	segmentType
	segmentPoint
	segmentClose
	linkNext
	linkAction
	linkBox
	linkQuads
	linkQuad
	actionType
	actionURI
	structureOpen
	structureClose
	structureChildren
	structureChild
	elementType
	elementAlt
	elementActual
	elementLanguage
	elementChildren
	elementChild
	elementChildMark
	elementAttributes
	elementAttribute
	attributeValue
	attributeNumber
	bitmapCreate
	bitmapFill
	bitmapBuffer
	bitmapStride
	bitmapDestroy
	renderPage
)

// names are what the functions are called in the library.
var names = [...]string{
	malloc:            "malloc",
	free:              "free",
	loadDocument:      "FPDF_LoadMemDocument64",
	closeDocument:     "FPDF_CloseDocument",
	lastError:         "FPDF_GetLastError",
	pageCount:         "FPDF_GetPageCount",
	metaText:          "FPDF_GetMetaText",
	catalogLanguage:   "FPDFCatalog_GetLanguage",
	pageSize:          "FPDF_GetPageSizeByIndexF",
	loadPage:          "FPDF_LoadPage",
	closePage:         "FPDF_ClosePage",
	flatten:           "FPDFPage_Flatten",
	annotations:       "FPDFPage_GetAnnotCount",
	annotation:        "FPDFPage_GetAnnot",
	annotationType:    "FPDFAnnot_GetSubtype",
	closeAnnotation:   "FPDFPage_CloseAnnot",
	pageBox:           "FPDF_GetPageBoundingBox",
	pageRotation:      "FPDFPage_GetRotation",
	pageArt:           "FPDFPage_GetArtBox",
	setPageArt:        "FPDFPage_SetArtBox",
	textLoad:          "FPDFText_LoadPage",
	textClose:         "FPDFText_ClosePage",
	textCount:         "FPDFText_CountChars",
	textUnicode:       "FPDFText_GetUnicode",
	textBox:           "FPDFText_GetLooseCharBox",
	textTightBox:      "FPDFText_GetCharBox",
	textOrigin:        "FPDFText_GetCharOrigin",
	textObject:        "FPDFText_GetTextObject",
	textMatrix:        "FPDFText_GetMatrix",
	textUnmapped:      "FPDFText_HasUnicodeMapError",
	textObjectFont:    "FPDFTextObj_GetFont",
	textObjectSize:    "FPDFTextObj_GetFontSize",
	textObjectMode:    "FPDFTextObj_GetTextRenderMode",
	fontName:          "FPDFFont_GetBaseFontName",
	fontFlags:         "FPDFFont_GetFlags",
	fontWeight:        "FPDFFont_GetWeight",
	fontAngle:         "FPDFFont_GetItalicAngle",
	fontAscent:        "FPDFFont_GetAscent",
	fontDescent:       "FPDFFont_GetDescent",
	pageObjects:       "FPDFPage_CountObjects",
	pageObject:        "FPDFPage_GetObject",
	formObjects:       "FPDFFormObj_CountObjects",
	formObject:        "FPDFFormObj_GetObject",
	objectType:        "FPDFPageObj_GetType",
	objectBounds:      "FPDFPageObj_GetBounds",
	objectMatrix:      "FPDFPageObj_GetMatrix",
	objectMark:        "FPDFPageObj_GetMarkedContentID",
	objectFill:        "FPDFPageObj_GetFillColor",
	objectStroke:      "FPDFPageObj_GetStrokeColor",
	objectStrokeWidth: "FPDFPageObj_GetStrokeWidth",
	pathMode:          "FPDFPath_GetDrawMode",
	pathSegments:      "FPDFPath_CountSegments",
	pathSegment:       "FPDFPath_GetPathSegment",
	segmentType:       "FPDFPathSegment_GetType",
	segmentPoint:      "FPDFPathSegment_GetPoint",
	segmentClose:      "FPDFPathSegment_GetClose",
	linkNext:          "FPDFLink_Enumerate",
	linkAction:        "FPDFLink_GetAction",
	linkBox:           "FPDFLink_GetAnnotRect",
	linkQuads:         "FPDFLink_CountQuadPoints",
	linkQuad:          "FPDFLink_GetQuadPoints",
	actionType:        "FPDFAction_GetType",
	actionURI:         "FPDFAction_GetURIPath",
	structureOpen:     "FPDF_StructTree_GetForPage",
	structureClose:    "FPDF_StructTree_Close",
	structureChildren: "FPDF_StructTree_CountChildren",
	structureChild:    "FPDF_StructTree_GetChildAtIndex",
	elementType:       "FPDF_StructElement_GetType",
	elementAlt:        "FPDF_StructElement_GetAltText",
	elementActual:     "FPDF_StructElement_GetActualText",
	elementLanguage:   "FPDF_StructElement_GetLang",
	elementChildren:   "FPDF_StructElement_CountChildren",
	elementChild:      "FPDF_StructElement_GetChildAtIndex",
	elementChildMark:  "FPDF_StructElement_GetChildMarkedContentID",
	elementAttributes: "FPDF_StructElement_GetAttributeCount",
	elementAttribute:  "FPDF_StructElement_GetAttributeAtIndex",
	attributeValue:    "FPDF_StructElement_Attr_GetValue",
	attributeNumber:   "FPDF_StructElement_Attr_GetNumberValue",
	bitmapCreate:      "FPDFBitmap_CreateEx",
	bitmapFill:        "FPDFBitmap_FillRect",
	bitmapBuffer:      "FPDFBitmap_GetBuffer",
	bitmapStride:      "FPDFBitmap_GetStride",
	bitmapDestroy:     "FPDFBitmap_Destroy",
	renderPage:        "FPDF_RenderPageBitmap",
}
