package tree

import "errors"

// Why a file cannot be read. Readers wrap these with what they met.
var (
	ErrEncrypted  = errors.New("the file is encrypted")
	ErrDamaged    = errors.New("the file is damaged or not of its type")
	ErrTooComplex = errors.New("the file is larger inside than can be read")
)
