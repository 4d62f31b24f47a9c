//go:build !linux && !darwin

// Package disk knows how full file systems are.
package disk

import "errors"

// Free is not known on this system.
func Free(string) (int64, error) { return 0, errors.ErrUnsupported }
