"""The background of the batches of a run over a folder."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Optional, Tuple, Union

from ..client import Client
from ..literals import BackgroundPicture
from .folder_journal import FolderJournal, key_of, stamp_of
from .job_options import Background, picture_of


class FolderBackground:
    """A color, or a picture that is uploaded once, and again when its file has changed or its upload is gone."""

    def __init__(self, client: Client, options: argparse.Namespace, journal: FolderJournal) -> None:
        self._client = client
        self._options = options
        self._journal = journal

    def url(self) -> Optional[str]:
        """The upload of the picture as it is now. None for a color, or no background."""
        picture = picture_of(self._options)
        if picture is None:
            return None
        known, stamp = self._journal.background, _stamp_if_any(picture)
        # Without its file, the picture is the one that was uploaded.
        if known.source_url is not None and stamp in (None, known.stamp):
            return known.source_url
        key = key_of(self._journal.run, "background", str(known.upload_count), str(stamp))
        background = Background(self._client, self._options, key)
        background.get()
        self._journal.note(background=background.url, background_stamp=stamp)
        return background.url

    def of(self, url: Optional[str]) -> Union[str, BackgroundPicture, None]:
        """The background of a request with this upload."""
        background = Background(self._client, self._options)
        background.url = url
        return background.get()

    def forget(self) -> None:
        """The service no longer has the upload."""
        self._journal.note(background=None, background_upload_count=self._journal.background.upload_count + 1)


def _stamp_if_any(path: str) -> Optional[Tuple[int, int]]:
    try:
        return stamp_of(Path(path))
    except OSError:
        return None
