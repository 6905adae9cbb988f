"""What the project of a user holds, for the tests of the command line."""

import subprocess
from collections.abc import Callable

Run = Callable[..., "subprocess.CompletedProcess[str]"]

SETTINGS = """
[tool.btmodel]
models = ["shop.models"]
out = "shop/generated"
instance = "projects/shop/instances/dev"
emulated = ["projects/*"]
"""

MODELS = '''
import btmodel as bt


class Order(bt.Model, table="orders", events="10/s"):
    """An order."""

    shop: str = bt.key(bt.Text(max_length=12), cardinality=500)
    number: int = bt.key(bt.PaddedInt(8))

    d = bt.family("d", gc=bt.max_versions(1))
    total: int = bt.column("total", d)

    of_shop = bt.query("shop", between="number")
'''
