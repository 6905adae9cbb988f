# Written by codegen/sync_twins.py from its twin in _async: edit that one.

"""Where a table divides, asked of the service.

Google's data client can be asked, too, but where its task is cancelled at the wrong moment the request stays open.
"""

from google.cloud.bigtable_v2.types import SampleRowKeysRequest, SampleRowKeysResponse

from btmodel.client.calls import SAMPLE_ROW_KEYS, Calls
from btmodel.client.channels import leave, next_message
from btmodel.client.patience import Patience, pause_after
from btmodel.client.streams import pause

_SAMPLE = SampleRowKeysResponse.pb()


def samples(calls: Calls) -> list[bytes]:
    """The keys that the service samples of a table, in order; what it says of the table's end is an empty one."""
    asked = SampleRowKeysRequest(table_name=calls.name, app_profile_id=calls.app_profile)
    request = SampleRowKeysRequest.serialize(asked)
    budget = calls.table.default_operation_timeout
    patience = Patience(budget, calls.table.default_attempt_timeout or budget)
    while True:
        found: list[bytes] = []
        answer = calls.stream(SAMPLE_ROW_KEYS)(request, timeout=patience.limit(), metadata=calls.metadata)
        try:
            while (message := next_message(answer)) is not None:
                found.append(_SAMPLE.FromString(message).row_key)
            return found
        except Exception as error:
            wait = pause_after(error, patience)
        finally:
            leave(answer)
        pause(wait)
