import { describe, expect, it } from 'vitest';
import { readCommandLine, UsageError } from '../../../../clients/js/src/cli/arguments.js';

describe('an option of another command', () => {
  it.each([
    ['download job_1 --skip-existing', 'download has no option "--skip-existing".'],
    ['download job_1 --no-cache', 'download has no option "--no-cache".'],
    ['usage -o usage.txt', 'usage has no option "-o".'],
    ['operations --level high', 'operations has no option "--level".'],
    ['presets list --dry-run', 'presets has no option "--dry-run".'],
    ['mcp --concurrency 2', 'mcp has no option "--concurrency".'],
    ['enhance a.jpg --http 8080', 'enhance has no option "--http".'],
  ])('is refused: %s', (line, message) => {
    expect(() => readCommandLine(line.split(' '))).toThrow(new UsageError(message));
  });

  it.each([
    'download job_1 -o out/ --force --timeout 5 -q',
    'presets save mine -p upscale --scale 2 --format webp --json',
    'usage --json --quiet --url http://localhost:1 --key sk_1',
    'mcp --root . --http 0 --host ::1 --allow-host a.example',
    'enhance a.jpg --skip-existing --cancel-after 60s --no-cache --concurrency 2 --metadata keep',
    'usage --help --force',
  ])('is not one of these: %s', (line) => {
    expect(() => readCommandLine(line.split(' '))).not.toThrow();
  });
});
