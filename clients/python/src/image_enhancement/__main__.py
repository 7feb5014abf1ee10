"""The command line: ``python -m image_enhancement enhance photo.jpg --operation upscale --level high``."""

from __future__ import annotations

import io
import json
import sys
from typing import List, Optional

from ._cli.arguments import argument_parser
from ._cli.download import download
from ._cli.enhance import enhance_files
from ._cli.exit import EXIT_DONE, EXIT_INTERRUPTED, EXIT_USAGE, exit_code_of
from ._cli.folder import enhance_folder
from ._cli.inputs import has_folder
from ._cli.presets import presets_command
from ._cli.run import interruptible, silence_output
from ._cli.sizes import size_text
from ._cli.targets import UsageError
from .client import Client
from .errors import ImageEnhancementError


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs a command. Returns the exit code."""
    options = argument_parser().parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        # A file name that the encoding of the output lacks must not end the run.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        with interruptible(), Client(options.key, options.url) as client:
            if options.command == "enhance":
                is_batch = has_folder(options.files) and not options.dry_run
                return enhance_folder(client, options) if is_batch else enhance_files(client, options)
            if options.command == "download":
                return download(client, options)
            if options.command == "presets":
                return presets_command(client, options)
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
    print(f"Plan:          {usage.plan}")
    print(
        f"Enhancements:  {usage.enhancements_used} of {usage.enhancements_limit} this month,"
        f" again from {usage.enhancements_reset_at:%Y-%m-%d}"
    )
    print(f"Storage:       {size_text(usage.storage_used_bytes)} of {size_text(usage.storage_limit_bytes)}")
    print(f"Requests:      {usage.requests_per_minute_limit} a minute for each key")
    return EXIT_DONE


if __name__ == "__main__":
    sys.exit(main())
