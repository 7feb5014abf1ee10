import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { MAX_WAIT_SECONDS } from '../../src/common/requests/prefer-wait.decorator.js';
import type { ErrorCodeEntry } from '../../src/kernel/errors/error-code-entry.js';
import { DASHBOARD_CODES, ERROR_CODES } from '../../src/kernel/errors/error-codes.js';
import * as retention from '../../src/dispatcher/retention/retention.sql.js';
import * as shortLived from '../../src/dispatcher/retention/short-lived.sql.js';

const MAX_COLUMNS = 120;
/** Contains one link or path, so that a failure names the document and the line. */
interface Found {
  readonly document: string;
  readonly line: number;
  readonly target: string;
}

const documents = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.md'],
  {
    cwd: ROOT,
    encoding: 'utf8',
  },
)
  .split('\0')
  .filter((path) => path !== '' && existsSync(join(ROOT, path)));
const INDEX = 'docs/decisions/README.md';
const decisions = documents.filter((path) => path.startsWith('docs/decisions/') && path !== INDEX);
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The lines of a document outside of code blocks, with their numbers. */
function proseOf(document: string): { readonly line: number; readonly text: string }[] {
  let isCode = false;
  return textOf(document)
    .split('\n')
    .map((text, index) => {
      const isFence = /^\s*```/.test(text);
      if (isFence) isCode = !isCode;
      return { line: index + 1, text: isFence || isCode ? '' : text };
    });
}

function found(document: string, pattern: RegExp): Found[] {
  return proseOf(document).flatMap(({ line, text }) =>
    [...text.matchAll(pattern)].map(([, target]) => ({ document, line, target: target! })),
  );
}

/** The anchors that GitHub generates from headings, and those written as `<a id>`. */
function anchorsOf(document: string): Set<string> {
  const headings = proseOf(document).flatMap(({ text }) => /^#+ (.*)$/.exec(text)?.[1] ?? []);
  const slugs = headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  const ids = [...textOf(document).matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!);
  return new Set([...slugs, ...ids]);
}

const isLocal = (target: string): boolean => !/^[a-z]+:/i.test(target);

describe('the documents', () => {
  it('are found', () => {
    expect(documents).toContain('README.md');
    expect(decisions.length).toBeGreaterThan(20);
  });

  it('link to existing files and headings', () => {
    const broken = documents
      .flatMap((document) => found(document, /\]\(([^)\s]+)\)/g))
      .filter(({ document, target }) => {
        if (!isLocal(target)) return false;
        const [path, anchor] = target.split('#');
        const file = path === '' ? document : join(dirname(document), decodeURIComponent(path!));
        if (!existsSync(join(ROOT, file))) return true;
        return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).has(anchor);
      });
    expect(broken).toEqual([]);
  });

  it('refer to existing source files', () => {
    const named = documents
      .filter((document) => basename(document) !== 'CHANGELOG.md')
      .flatMap((document) => found(document, /`((?:src|test|scripts|docs|models|clients)\/[\w./-]+)`/g));
    expect(named.length).toBeGreaterThan(50);
    const isKnown = ({ document, target }: Found): boolean =>
      existsSync(join(ROOT, target)) ||
      existsSync(join(ROOT, dirname(document), target)) ||
      // Examples: a version that an operator would add.
      /^models\/\w+\/\d+$/.test(target);
    expect(named.filter((each) => !isKnown(each))).toEqual([]);
  });

  it(`ask for a wait of at most ${MAX_WAIT_SECONDS} seconds`, () => {
    const waits = documents.flatMap((document) =>
      [...textOf(document).matchAll(/\bprefer: wait=(\d+)/gi)].map(([, seconds]) => ({ document, seconds })),
    );
    expect(waits.length).toBeGreaterThan(2);
    expect(waits.filter(({ seconds }) => Number(seconds) > MAX_WAIT_SECONDS)).toEqual([]);
  });

  it(`have no line over ${MAX_COLUMNS} columns, except for table rows`, () => {
    const long = documents.flatMap((document) =>
      proseOf(document)
        .filter(({ text }) => text.length > MAX_COLUMNS && !text.startsWith('|'))
        .map(({ line }) => `${document}:${line}`),
    );
    expect(long).toEqual([]);
  });

  it('have no comment after a value in ini files, which PgBouncer and systemd read as part of the value', () => {
    const lines = documents.flatMap((document) =>
      [...textOf(document).matchAll(/^```ini\n([^]*?)^```/gm)].flatMap(([, text]) => text!.split('\n')),
    );
    expect(lines).toContain('pool_mode = transaction');
    expect(lines.filter((line) => /^[^;#].*\s[;#]/.test(line))).toEqual([]);
  });
});

it('docs/idempotency.md names every error that a client may retry', () => {
  const [, section] = textOf('docs/idempotency.md').split('## Which errors to retry');
  const statuses = new Set([...section!.matchAll(/\b(\d{3}),/g)].map(([, status]) => Number(status)));
  const named = new Set([...section!.matchAll(/`(\w+)`/g)].map(([, code]) => code));
  const isDue = ([code, { retryable, status }]: [string, ErrorCodeEntry]): boolean =>
    retryable && status < 500 && !statuses.has(status) && !DASHBOARD_CODES.has(code);
  const missing = Object.entries<ErrorCodeEntry>(ERROR_CODES).filter(
    (each) => isDue(each) && !named.has(each[0]),
  );
  expect(statuses).toEqual(new Set([408, 429]));
  expect(missing).toEqual([]);
});

describe('the metrics and traces', () => {
  const codesIn = (text: string | undefined): string[] =>
    [...(text ?? '').matchAll(/`(\w+)`/g)].map(([, code]) => code!).toSorted();

  it('have every kind of deleted rows', () => {
    const statements = [...Object.values(retention), ...Object.values(shortLived)];
    const kinds = statements.flatMap((one) =>
      typeof one === 'object' ? one.name.replace(/^retention_/, '') : [],
    );
    const [, listed] = /^Kinds: (.*?)\. Webhook/ms.exec(textOf('docs/metrics.md')) ?? [];
    expect(codesIn(listed)).toEqual([...kinds, 'audit_events'].toSorted());
  });

  it('have every step of a job', () => {
    const sources = ['src/worker/job-pipeline.ts', 'src/worker/steps/enhance.ts'].map(textOf).join('');
    const steps = [...sources.matchAll(/\b(?:step|stage|span)\('(\w+)'/g)].map(([, name]) => name!);
    const row = /^\| `load`,.*$/m.exec(textOf('docs/tracing.md'))?.[0];
    expect(steps.length).toBeGreaterThan(10);
    expect([...new Set(codesIn(row))]).toEqual(steps.toSorted());
  });
});

describe('the decisions', () => {
  it.each(decisions)('%s has a title, a context, a decision and consequences', (document) => {
    const number = /^(\d{4})-[a-z0-9-]+\.md$/.exec(basename(document))?.[1];
    const [title, ...sections] = textOf(document).split(/^## /m);
    expect(title).toMatch(new RegExp(`^# ${number}: \\S.*\\n\\s*$`));
    const [names, bodies] = [
      sections.map((text) => text.split('\n')[0]),
      sections.map((text) => text.split('\n')),
    ];
    expect(names).toEqual(['Context', 'Decision', 'Consequences']);
    for (const body of bodies) expect(body.slice(1).join('').trim()).not.toBe('');
  });

  it('have unique numbers', () => {
    const numbers = decisions.map((document) => basename(document).slice(0, 4));
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('link to the records that say that they change them', () => {
    const changes = decisions.flatMap((document) =>
      [...textOf(document).matchAll(/\bThis\s+(?:changes|replaces)\s[^]*?\.(?:\s|$)/g)].flatMap(
        ([sentence]) =>
          [...sentence.matchAll(/\]\((\d{4}-[^)]*)\)/g)].map(([, old]) => ({
            old: old!,
            by: basename(document),
          })),
      ),
    );
    expect(changes.length).toBeGreaterThan(10);
    const missing = changes.filter(({ old, by }) => !textOf(`docs/decisions/${old}`).includes(`](${by})`));
    expect(missing).toEqual([]);
  });

  it('are listed in the index with their titles', () => {
    const index = textOf(INDEX).replaceAll(/\s+/g, ' ');
    const missing = decisions.filter((document) => {
      const [, number, title] = /^# (\d{4}): (.*)$/m.exec(textOf(document))!;
      return !index.includes(`[${number}](${basename(document)}): ${title}`);
    });
    expect(missing).toEqual([]);
  });
});
