package tree

// LevelItem is an item of a list that says how deep it is.
type LevelItem struct {
	Level int
	Item
}

// Nest makes a list of items, in which deeper ones stand in the one before them.
func Nest(list []LevelItem) *List {
	out := &List{}
	for i := 0; i < len(list); {
		n := i + 1
		for n < len(list) && list[n].Level > list[i].Level {
			n++
		}
		item := list[i].Item
		if n > i+1 {
			item.Body = append(item.Body, Nest(list[i+1:n]))
		}
		out.Items = append(out.Items, item)
		i = n
	}
	return out
}
