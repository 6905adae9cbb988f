"""How far each scooter went, from columns instead of objects."""

import btmodel as bt
import polars

from scooters.generated.position_repository import PositionRepository

with bt.connect() as db:
    positions = PositionRepository(db)

    table = positions.everything().only("latitude", "battery").parallel(4).to_polars()
    report = (
        table.group_by("scooter")
        .agg(
            polars.len().alias("positions"),
            polars.col("battery").min(),
            polars.col("latitude").max(),
        )
        .sort("scooter")
    )
    for row in report.iter_rows():
        print(*row)
