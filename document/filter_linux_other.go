//go:build linux && !amd64 && !arm64

package document

import "errors"

func installFilter(bool) error {
	return errors.New("there is no filter of system calls for this architecture")
}
