"""The arguments of the command line."""

from __future__ import annotations

import argparse

from .._version import __version__
from .job_options import add_job_options, whole

_NAMES = """Without --output, results are written beside their sources, as photo.upscale.jpg. Results of one batch that
would get the same name are numbered in the order of their sources, as photo.upscale-2.jpg."""
_EPILOG = """The key comes from --key or IMAGE_ENHANCEMENT_API_KEY, which keeps it out of the list of processes; the address
from --url or IMAGE_ENHANCEMENT_URL.
Exit codes: 0 all done, 1 something failed, 2 wrong usage or no such file, 3 key or scope, 4 quota used up, 5 service
out of reach, 130 interrupted (jobs are canceled). When several images fail in different ways: 1."""


def argument_parser() -> argparse.ArgumentParser:
    """Creates the parser of the command line. Wrong usage ends the program with exit code 2."""
    parser = argparse.ArgumentParser(
        prog="image-enhancement",
        description="Enhances images with the image enhancement service.",
        epilog=_EPILOG,
    )
    parser.add_argument("--version", action="version", version=__version__)
    common, work = _common(), _work()
    commands = parser.add_subparsers(dest="command", required=True)
    _add_enhance(
        commands.add_parser(
            "enhance", parents=[common, work], help="enhance images", epilog=f"{_NAMES}\n{_EPILOG}"
        )
    )
    _add_download(
        commands.add_parser(
            "download", parents=[common], help="wait for a job and save its result, at no cost", epilog=_EPILOG
        )
    )
    presets = commands.add_parser(
        "presets", parents=[common, work], help="list, show, save and delete presets", epilog=_EPILOG
    )
    presets.add_argument("verb", nargs="?", default="list", choices=["list", "show", "save", "delete"])
    presets.add_argument("name", nargs="?", help="of the preset; save takes the options of enhance")
    presets.set_defaults(output=None, direct=False)
    commands.add_parser("operations", parents=[common], help="what the service can do")
    commands.add_parser("usage", parents=[common], help="what is used of the plan")
    return parser


def _common() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--url", help="address of the service (default: http://localhost:3000)")
    common.add_argument("--key", help="the API key (default: IMAGE_ENHANCEMENT_API_KEY)")
    common.add_argument(
        "--json",
        action="store_true",
        help="print JSON, one object a line: for each image, operation and preset, and for the usage",
    )
    return common


def _work() -> argparse.ArgumentParser:
    """Adds the options for the operations and for the appearance of the results."""
    work = argparse.ArgumentParser(add_help=False)
    work.add_argument(
        "-p", "--operation", help="smooth_skin, upscale, auto_enhance, bg_remove, … (auto_enhance)"
    )
    work.add_argument("-l", "--level", choices=["low", "medium", "high"])
    work.add_argument(
        "--then",
        action="append",
        default=[],
        metavar="OPERATION[:LEVEL]",
        help="another operation, on the result of the one before; up to five of them",
    )
    work.add_argument(
        "--preset",
        metavar="NAME",
        help="the operations and the output of a preset; --format, --quality and the other flags of the"
        " output, and the format in the name of --output, change only their part of it",
    )
    work.add_argument(
        "--model",
        action="append",
        default=[],
        metavar="OPERATION@VERSION",
        help="pin the version of a model, as upscale@2",
    )
    work.add_argument("--format", choices=["jpeg", "png", "webp", "avif"])
    add_job_options(work)
    return work


def _path(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("the path is empty")
    return text


def _add_download(download: argparse.ArgumentParser) -> None:
    download.add_argument("job", help="its id, such as that of a job that a run has paid for, but not saved")
    download.add_argument(
        "-o",
        "--output",
        "--out",
        type=_path,
        help="a file, a folder (ends in /), or - for standard output"
        " (default: <job>.<format> in the current folder)",
    )
    download.add_argument("--force", action="store_true", help="write over files that exist")
    download.add_argument(
        "--timeout", type=whole(1, 86_400), help="seconds to wait for the job (600), and to read its result (300)"
    )
    download.add_argument("-q", "--quiet", action="store_true", help="say nothing but errors")


def _add_enhance(enhance: argparse.ArgumentParser) -> None:
    enhance.add_argument(
        "files",
        nargs="+",
        help="images, patterns such as 'photos/**/*.jpg', URLs, - for standard input, or a folder, whose images are"
        " enhanced as a batch: started again, it goes on where it was",
    )
    enhance.add_argument(
        "-o", "--output", "--out", type=_path, help="a file, a folder (ends in /), or - for standard output"
    )
    existing = enhance.add_mutually_exclusive_group()
    existing.add_argument(
        "--force",
        action="store_true",
        help="write over files that exist, which is never done without it; a source never is",
    )
    existing.add_argument(
        "--skip-existing",
        action="store_true",
        help="leave out images whose result exists, which costs nothing",
    )
    enhance.add_argument(
        "--direct",
        action="store_true",
        help="send files straight to the object store of the service",
    )
    enhance.add_argument("--dry-run", action="store_true", help="only upload, and say what it would cost")
    enhance.add_argument(
        "--cache",
        action="store_true",
        default=None,
        help="take the result of an equal earlier job, which is free",
    )
    enhance.add_argument(
        "--no-cache",
        dest="cache",
        action="store_false",
        help="enhance again what was enhanced before",
    )
    enhance.add_argument("--callback-url", help="called when a job ends")
    enhance.add_argument("--cancel-after", help="such as 60s: cancel a job that has not ended by then")
    enhance.add_argument(
        "--expires-in", type=whole(1, 315_360_000), help="seconds that the service keeps a result"
    )
    enhance.add_argument("--concurrency", type=whole(1, 32), default=4, help="images at a time, 1 to 32 (4)")
    enhance.add_argument(
        "--timeout",
        type=whole(1, 86_400),
        help="seconds for each image (600); of a folder: for each upload and each request that creates "
        "a batch (300 and 60)",
    )
    enhance.add_argument("-q", "--quiet", action="store_true", help="say nothing but errors")
