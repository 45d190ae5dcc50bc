"""Writes the wheel of the module for this system, with the library in it:

    python3 wheel.py ../build/libtickback.so.1 [FOLDER]

It needs nothing but Python. The wheel works with every Python from 3.9 on, where the C library is at least as new as the one
that libtickback was built with.
"""

import base64
import hashlib
import os
import sys
import sysconfig
import zipfile

VERSION = "0.1.0"
METADATA = f"""Metadata-Version: 2.1
Name: tickback
Version: {VERSION}
Summary: Rollback netcode for games
Requires-Python: >=3.9
"""


def build(library, folder="."):
    """Writes the wheel to a folder, and returns its path."""
    here = os.path.dirname(os.path.abspath(__file__))
    tag = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
    info = f"tickback-{VERSION}.dist-info"
    files = [(f"tickback/{name}", open(os.path.join(here, "tickback", name), "rb").read()) for name in ("__init__.py", "_library.py")]
    files += [
        (f"tickback/{os.path.basename(library)}", open(library, "rb").read()),
        (f"{info}/LICENSE", open(os.path.join(here, "../../LICENSE"), "rb").read()),
        (f"{info}/METADATA", METADATA.encode()),
        (f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: tickback\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()),
    ]
    record = "".join(f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n"
                     for name, data in files) + f"{info}/RECORD,,\n"
    path = os.path.join(folder, f"tickback-{VERSION}-{tag}.whl")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files + [(f"{info}/RECORD", record.encode())]:
            entry = zipfile.ZipInfo(name)  # always with the same time, so that the same files are the same wheel
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            wheel.writestr(entry, data)
    return path


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    print(build(*sys.argv[1:]))
