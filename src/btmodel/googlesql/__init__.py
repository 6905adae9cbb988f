"""Google's own front end of GoogleSQL, ZetaSQL, in a process of its own: queries in, resolved trees out."""
