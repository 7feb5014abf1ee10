import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runAdmin } from './run-admin.js';
import { runDoctor } from './doctor/run-doctor.js';
import { runModels } from './models/run-models.js';

const PROGRAMS = { admin: runAdmin, models: runModels, doctor: runDoctor };

let [stdout, stderr] = ['', ''];
beforeEach(() => {
  [stdout, stderr] = ['', ''];
  const keep =
    (stream: 'stdout' | 'stderr') =>
    (text: unknown, done?: unknown): boolean => {
      if (stream === 'stdout') stdout += String(text);
      else stderr += String(text);
      if (typeof done === 'function') done();
      return true;
    };
  vi.spyOn(process.stdout, 'write').mockImplementation(keep('stdout'));
  vi.spyOn(process.stderr, 'write').mockImplementation(keep('stderr'));
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Commands with the words that follow `--help`. */
const COMMANDS = [
  ['admin', ''],
  ['admin', 'account create'],
  ['admin', 'account set-password'],
  ['admin', 'account reset-link'],
  ['admin', 'account set-plan'],
  ['admin', 'account set-result-cache'],
  ['admin', 'account add-member'],
  ['admin', 'key create'],
  ['admin', 'secrets retire'],
  ['admin', 'audit'],
  ['admin', 'operator grant'],
  ['admin', 'overview'],
  ['admin', 'migrate'],
  ['models', ''],
  ['models', 'add'],
  ['models', 'sheet'],
  ['models', 'pull'],
  ['models', 'export'],
  ['doctor', ''],
] as const;

describe('--help', () => {
  it.each(COMMANDS)('of %s %s shows the usage', async (name, words) => {
    const argv = words.split(' ').filter((word) => word !== '');
    expect(await PROGRAMS[name]([...argv, '--help'])).toBe(0);
    expect(stdout).toContain(`Usage: npm run ${name} -- ${words}`);
    expect(stdout).toContain('--json');
    expect(stderr).toBe('');
  });
});

describe('a command line that cannot be read', () => {
  it.each([
    ['admin', [], 'A command is missing.'],
    ['admin', ['account'], 'A command is missing.'],
    ['admin', ['acount', 'list'], "Unknown command 'acount' (Did you mean account?)"],
    ['admin', ['account', 'create'], "Missing required argument 'email'"],
    [
      'admin',
      ['account', 'create', 'a@b.c', '--plan', 'gold'],
      /argument 'gold' is invalid\. Allowed .*free/,
    ],
    ['admin', ['account', 'create', 'a@b.c', '--limits', 'rpm=x'], '--limits rpm must be a whole number'],
    ['admin', ['account', 'create', 'a@b.c', '--plan', 'enterprise'], 'The enterprise plan needs the limits'],
    ['admin', ['account', 'set-plan', 'a@b.c', 'enterprise'], 'Limits left out are those of business.'],
    ['admin', ['account', 'set-plan', 'a@b.c'], "Missing required argument 'plan'"],
    ['admin', ['account', 'set-plan', 'a@b.c', 'gold'], '"gold" is not a plan.'],
    ['admin', ['account', 'set-password', 'a@b.c'], "Required option '--password-stdin' not specified"],
    [
      'admin',
      ['key', 'create', 'a@b.c', '--scopes', 'all'],
      '--scopes cannot be "all"; it may be image:read',
    ],
    ['admin', ['key', 'create', 'a@b.c', '--expires-in', '9'], '--expires-in must be a duration'],
    ['admin', ['key', 'create', 'a@b.c', '--expires-at', '2001-01-01'], '--expires-at must be in the future'],
    [
      'admin',
      ['key', 'create', 'a@b.c', '--expires-in', '9d', '--expires-at', '2999-01-01'],
      'Give only one of --expires-in and --expires-at.',
    ],
    ['admin', ['secrets', 'rotate', 'passwords'], '"passwords" is neither "signing" nor "sealing".'],
    ['admin', ['audit', '--action', 'nothing'], '--action must be one of'],
    ['admin', ['audit', '--since', 'soon'], '--since must be a date like'],
    ['admin', ['audit', '--before', '0'], '--before must be the id of an event'],
    ['admin', ['audit', '--limit', '0'], '--limit must be a whole number from 1 up to 100000, not "0".'],
    ['admin', ['migrate', '--force'], "Unknown option '--force'"],
    ['models', [], 'A command is missing.'],
    ['models', ['nothing'], "Unknown command 'nothing'"],
    ['models', ['add', 'network.onnx'], '--operation must be smooth_skin'],
    ['models', ['sheet'], "Missing required argument 'image'"],
    ['models', ['list', '--cases'], "Unknown option '--cases'"],
    ['doctor', ['--jsn'], "Unknown option '--jsn' (Did you mean --json?)"],
    ['doctor', ['now'], 'Too many arguments'],
  ] as const)('%s %j is refused in one line', async (name, argv, fault) => {
    expect(await PROGRAMS[name](argv)).toBe(2);
    expect(stdout).toBe('');
    const [line, pointer, ...rest] = stderr.split('\n');
    expect(line).toMatch(fault);
    expect(pointer).toBe(`Run "npm run ${name} -- --help" to see the usage.`);
    expect(rest).toEqual(['']);
  });

  it('is reported as JSON by models --json, too', async () => {
    expect(await runModels(['nothing', '--json'])).toBe(2);
    expect(JSON.parse(stdout)).toEqual({ error: "Unknown command 'nothing'" });
  });
});
