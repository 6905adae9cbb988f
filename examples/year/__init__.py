"""A year of flights, whose table gets another row key while nothing is lost: ``make year``."""
