"""SQL of the local server: queries analysed by Google's GoogleSQL front end, and evaluated here over the rows of a table."""
