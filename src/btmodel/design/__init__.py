"""The design of row keys: what a key serves, where its writes go, and the key that would be better."""
