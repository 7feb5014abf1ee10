export const HELP = `Usage: image-enhancement-client <command> [options]

Commands:
  enhance <image …>        enhance images: paths, patterns such as 'photos/**/*.jpg', URLs, or - for standard input
  enhance <folder> --out <folder>  enhance the images in a folder as a batch; started again, it goes on where it was
  download <job>           wait for a job and save its result, at no cost; for results that a run could not save;
                           --output as below (default: <job>.<format> in the current folder)
  presets list             list the presets of the account, and those that are built in
  presets show <name>      show a preset
  presets save <name>      save the operations and the output that the options say as a preset
  presets delete <name>    delete a preset
  usage                    show the plan, its limits and what is used
  operations               show what the service can do
  mcp                      serve the Model Context Protocol, for agents

What is done:
  -p, --operation <name>   smooth_skin, upscale, auto_enhance, bg_remove (default: auto_enhance)
  -l, --level <level>      low, medium or high (default: medium)
      --then <operation[:level]>  another operation, on the result of the one before; up to five of them
      --preset <name>      the operations and the output of a preset; of the output, the options of the result and the
                           format that --output names change only what they say
      --model <operation@version>  pin the version of a model, as upscale@2
      --strength <0-1>     of smooth_skin and auto_enhance, in place of the level's
      --scale <2|4>        of upscale, in place of the level
      --width <px>, --height <px>  exact size of upscale: enlarged first, then resampled down
      --fit <fit>          inside (default), cover or fill, with --width and --height

The result:
  -o, --out, --output <path>  where to write: a file, a folder, or - for standard output
                           (default: beside the source, as photo.upscale.jpg); results of one batch that would get
                           the same name are numbered in the order of their sources, as photo.upscale-2.jpg
      --force              write over files that exist, which is never done without it; a source never is
      --skip-existing      leave out images whose result exists, which costs nothing
      --format <format>    jpeg, png, webp or avif (default: as the output's name says, else as the source)
      --quality <1-100>    of the encoding
      --background <#rrggbb|file>  color or picture in place of transparency
      --background-fit <fit>  cover (default) or contain
      --crop subject       cut to the subject
      --padding <0-0.5>    space around the cropped subject, as a share of its longer side
      --shadow             a soft shadow
      --kind <kind>        image (default), mask or edges
      --max-bytes <n>      lower the quality until the file fits
      --metadata <mode>    strip (default), keep or keep-no-gps
      --provenance         write the IPTC digital source type

The jobs:
      --direct             send files straight to the object store of the service
      --dry-run            only upload, and say what it would cost
      --cache              take the result of an equal earlier job, which is free
      --no-cache           enhance again what was enhanced before
      --callback-url <url>  called when a job ends
      --cancel-after <time>  such as 60s: cancel a job that has not ended by then
      --expires-in <seconds>  for which the service keeps a result
      --concurrency <n>    images at once, 1 to 32 (default: 4)
      --timeout <seconds>  for one image (default: 600); of a folder: for each upload and each request that creates a
                           batch (default: 300 and 60)

Options of mcp:
      --root <folder>      a folder whose images may be read and written; may be repeated (default: none)
      --http <port>        serve streamable HTTP at /mcp (default: standard input and output)
      --host <address>     to listen on (default: 127.0.0.1); others need IMAGE_ENHANCEMENT_MCP_TOKEN
      --allow-host <name>  another name of this server in the headers Host and Origin; may be repeated

Options of all commands:
      --url <address>      the service (default: IMAGE_ENHANCEMENT_URL, else http://localhost:3000)
      --key <key>          the API key (default: IMAGE_ENHANCEMENT_API_KEY, which keeps it out of the list of processes)
      --json               print JSON, one object a line: for each image, operation and preset, and for the usage
  -q, --quiet              print errors only
  -h, --help               show this
      --version            show the version

Exit codes: 0 all done, 1 something failed, 2 wrong usage or no such file, 3 key or scope, 4 quota used up, 5 service
out of reach, 130 interrupted. When several images fail in different ways: 1.
`;
