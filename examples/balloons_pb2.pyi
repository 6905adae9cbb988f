from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class Measurements(_message.Message):
    __slots__ = ("pressure", "temperature", "humidity", "altitude")
    PRESSURE_FIELD_NUMBER: _ClassVar[int]
    TEMPERATURE_FIELD_NUMBER: _ClassVar[int]
    HUMIDITY_FIELD_NUMBER: _ClassVar[int]
    ALTITUDE_FIELD_NUMBER: _ClassVar[int]
    pressure: int
    temperature: float
    humidity: int
    altitude: int
    def __init__(self, pressure: _Optional[int] = ..., temperature: _Optional[float] = ..., humidity: _Optional[int] = ..., altitude: _Optional[int] = ...) -> None: ...
