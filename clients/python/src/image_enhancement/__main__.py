"""The command line: ``python -m image_enhancement enhance photo.jpg --operation upscale --level high``."""

from __future__ import annotations

import argparse
import json
import sys
from typing import List, Optional

from ._cli.enhance import enhance_files
from ._cli.exit import EXIT_DONE, EXIT_INTERRUPTED, EXIT_USAGE, exit_code_of
from ._cli.job_options import add_job_options, whole
from ._cli.run import interruptible, silence_output
from ._cli.targets import UsageError
from ._version import __version__
from .client import Client
from .errors import ImageEnhancementError

_NAMES = """Without --output, results are written beside their sources, as photo.upscale.jpg. Results of one batch that
would get the same name are numbered in the order of their sources, as photo.upscale-2.jpg."""
_EPILOG = """The key comes from --key or IMAGE_ENHANCEMENT_API_KEY, which keeps it out of the list of processes; the address
from --url or IMAGE_ENHANCEMENT_URL.
Exit codes: 0 all done, 1 something failed, 2 wrong usage or no such file, 3 key or scope, 4 quota used up, 5 service
out of reach, 130 interrupted (jobs are canceled). When several images fail in different ways: 1."""


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs a command; the exit code."""
    options = _parser().parse_args(arguments)
    try:
        with interruptible(), Client(options.key, options.url) as client:
            if options.command == "enhance":
                return enhance_files(client, options)
            if options.command == "operations":
                return _operations(client, options.json)
            return _usage(client, options.json)
    except UsageError as error:
        print(error, file=sys.stderr)
        return EXIT_USAGE
    except ImageEnhancementError as error:
        print(error, file=sys.stderr)
        return exit_code_of(error)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        silence_output()
        return EXIT_DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="image-enhancement",
        description="Enhances images with the image enhancement service.",
        epilog=_EPILOG,
    )
    parser.add_argument("--version", action="version", version=__version__)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--url", help="address of the service (default: http://localhost:3000)")
    common.add_argument("--key", help="the API key (default: IMAGE_ENHANCEMENT_API_KEY)")
    common.add_argument(
        "--json",
        action="store_true",
        help="print JSON, one object a line: for each image, for each operation, for the usage",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    enhance = commands.add_parser(
        "enhance", parents=[common], help="enhance images", epilog=f"{_NAMES}\n{_EPILOG}"
    )
    enhance.add_argument(
        "files", nargs="+", help="images, patterns such as 'photos/**/*.jpg', or - for standard input"
    )
    enhance.add_argument(
        "-p",
        "--operation",
        default="auto_enhance",
        help="smooth_skin, upscale, auto_enhance, bg_remove, … (auto_enhance)",
    )
    enhance.add_argument("-l", "--level", choices=["low", "medium", "high"])
    enhance.add_argument("-o", "--output", help="a file, a folder (ends in /), or - for standard output")
    enhance.add_argument(
        "--force",
        action="store_true",
        help="write over files that exist, which is never done without it; a source never is",
    )
    enhance.add_argument("--format", choices=["jpeg", "png", "webp", "avif"])
    add_job_options(enhance)
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
    enhance.add_argument("--timeout", type=whole(1, 86_400), help="seconds for each image (600)")
    enhance.add_argument("-q", "--quiet", action="store_true", help="say nothing but errors")
    commands.add_parser("operations", parents=[common], help="what the service can do")
    commands.add_parser("usage", parents=[common], help="what is used of the plan")
    return parser


def _operations(client: Client, as_json: bool) -> int:
    for operation in client.operations():
        if as_json:
            print(json.dumps(operation.raw))
        else:
            print(f"{operation.operation:16} {', '.join(operation.levels):20} {operation.description}")
    return EXIT_DONE


def _usage(client: Client, as_json: bool) -> int:
    usage = client.usage()
    if as_json:
        print(json.dumps(usage.raw))
        return EXIT_DONE
    print(f"plan          {usage.plan}")
    print(
        f"enhancements  {usage.enhancements_used} of {usage.enhancements_limit}"
        f" (again on {usage.enhancements_reset_at:%Y-%m-%d})"
    )
    print(f"storage       {usage.storage_used_bytes} of {usage.storage_limit_bytes} bytes")
    return EXIT_DONE


if __name__ == "__main__":
    sys.exit(main())
