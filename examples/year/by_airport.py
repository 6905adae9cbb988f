"""The models of the project before the move: departures by airport and day."""

from examples.flights import AirportDeparture as AirportDeparture
