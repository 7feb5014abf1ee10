"""Decodes, encodes, and resizes with Pillow. Reads a line of JSON for each task: {"from", "to", "options",
"scale"}.
"""

import json
import sys

from PIL import Image


def say(**answer: object) -> None:
    print(json.dumps(answer), flush=True)


say(ready=True)
for line in sys.stdin:
    task = json.loads(line)
    with Image.open(task["from"]) as picture:
        picture.load()
        scale = task.get("scale", 1)
        if scale != 1:
            size = (picture.width * scale, picture.height * scale)
            picture = picture.resize(size, Image.Resampling.LANCZOS)
        if "to" in task:
            picture.save(task["to"], **task.get("options", {}))
    say(done=True)
