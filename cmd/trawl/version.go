package main

import (
	"fmt"
	"runtime"

	"github.com/trawlhq/trawl"
)

type versionCmd struct{}

func (*versionCmd) Run(p *program) error {
	_, err := fmt.Fprintf(p.stdout, "trawl %s %s %s/%s\n", trawl.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
