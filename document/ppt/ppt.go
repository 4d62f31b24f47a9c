package ppt

import "github.com/trawlhq/trawl/document/tree"

func Read(body []byte) (*tree.Document, error) { return nil, tree.ErrDamaged }
