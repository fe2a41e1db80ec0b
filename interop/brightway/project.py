"""A Brightway project that nobody else uses, and that leaves nothing behind."""

import contextlib
import io
import logging
import os
import tempfile
import warnings

_home = tempfile.TemporaryDirectory(prefix="brightway-")
os.environ["BRIGHTWAY2_DIR"] = _home.name
_count = 0


@contextlib.contextmanager
def fresh():
    """Work in a new project. What Brightway tells is shown only if something fails."""
    global _count
    _count += 1
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    with quiet():
        import bw2data

        bw2data.projects.set_current(f"interop {_count}")
    yield


@contextlib.contextmanager
def quiet(tell=True):
    """Keep back what a library prints, unless it fails and that is to be told."""
    out, err = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            yield
    except BaseException:
        if tell:
            print(out.getvalue()[-4000:], err.getvalue()[-4000:])
        raise
