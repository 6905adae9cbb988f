"""Devices and machines against a server."""

from collections.abc import Iterator
from datetime import date, timedelta

import btmodel as bt
from examples.devices import (
    DEVICES,
    MACHINE_AT,
    MEMORY_AT,
    DeviceDay,
    MachineLoad,
    MemoryUse,
    Process,
    all_of_one_day,
)
from examples.generated.device_day_repository import DeviceDayRepository
from examples.generated.machine_load_repository import MachineLoadRepository
from examples.generated.memory_use_repository import MemoryUseRepository
from examples.generated.process_repository import ProcessRepository
from examples.worked.example import Answer, Example

SECOND = timedelta(seconds=1)


def write(db: bt.Database) -> None:
    """Two days of two devices; three readings of memory; a machine and a process of it."""
    days = DeviceDayRepository(db)
    for kind, device, of_may in DEVICES:
        for day in of_may:
            days.put(DeviceDay(kind=kind, device=device, day=date(2020, 5, day), reports=10 * day))
    MemoryUseRepository(db).put_many(
        MemoryUse(device="4c410523", at=MEMORY_AT + seconds * SECOND, percent=40 + seconds)
        for seconds in range(3)
    )
    MachineLoadRepository(db).put(
        MachineLoad(machine=4223421, at=MACHINE_AT, cpu=17, running=timedelta(days=1))
    )
    ProcessRepository(db).put(
        Process(
            machine=4223421,
            number=3150,
            name="indexer",
            user="root",
            cpu=12.5,
            memory=1_048_576,
            disk_read=512,
            priority=20,
        )
    )


def ask(db: bt.Database) -> Iterator[Answer]:
    """A type, a type and an id, a device between two times."""
    days = DeviceDayRepository(db)
    phones = [f"{row.device} {row.day}" for row in days.of_kind("phone")]
    yield Answer("Which days are there of phones?", phones)
    tablet = [row.reports for row in days.of_device("tablet", "a0b81f74", date(2020, 5, 2))]
    yield Answer("How much did tablet a0b81f74 report from May 2nd on?", tablet)
    memory = MemoryUseRepository(db).of_device("4c410523", MEMORY_AT, MEMORY_AT + 2 * SECOND)
    yield Answer("How full was the memory of 4c410523 in those two seconds?", [row.percent for row in memory])
    load = MachineLoadRepository(db).get(4223421, MACHINE_AT)
    yield Answer("For how long did machine 4223421 run?", load and str(load.running))
    processes = [row.name for row in ProcessRepository(db).of_machine(4223421)]
    yield Answer("What runs on it?", processes)


EXAMPLE = Example(
    "Devices and machines",
    (DeviceDay, MemoryUse, MachineLoad, Process),
    write,
    ask,
    refused=(all_of_one_day,),
)
