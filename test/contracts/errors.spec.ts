import { readFileSync } from 'node:fs';
import type { OpenAPIObject } from '@nestjs/swagger';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorsMarkdown } from '../../src/app/docs/errors-page.js';
import { errorsHtml } from '../../src/app/docs/html-page.js';
import { offlineOpenApiDocument } from '../../src/app/docs/openapi-offline.js';
import { DASHBOARD_CODES, ERROR_CODES } from '../../src/kernel/errors/error-codes.js';
import type { ErrorCodeEntry } from '../../src/kernel/errors/error-code-entry.js';
import { operationsOf } from '../support/app/openapi-conformance.js';

const ENTRIES = Object.entries<ErrorCodeEntry>(ERROR_CODES);
/** Those of the public API: the dashboard's own codes are not part of the public contract or the document. */
const HTTP_CODES = ENTRIES.map(([code]) => code).filter((code) => !DASHBOARD_CODES.has(code));

/** ID, code, status, whether a retry may help, and text of each section of a page. */
function sectionsOf(markdown: string): string[][] {
  const found = markdown.matchAll(/^### <a id="(\w+)"><\/a>`(\w+)`\n\n(.*?)\n\n(Status (\d+))\.\s(.*?)$/gms);
  return Array.from(found, ([, id, code, text, , status, retry]) => [
    id!,
    code!,
    status!,
    retry!.replaceAll(/\s+/g, ' ').startsWith('The same request may') ? 'yes' : 'no',
    text!.replaceAll(/\s+/g, ' '),
  ]);
}

/** The sections that the table of errors requires. */
const WANTED = ENTRIES.map(([code, { status, retryable, text }]) => [
  code,
  code,
  String(status),
  retryable ? 'yes' : 'no',
  text,
]);

const sorted = (rows: string[][]): string[][] => rows.toSorted(([a], [b]) => (a! < b! ? -1 : 1));

/** The codes that a response in the document may carry. */
function codesOf(response: object): string[] {
  const found = [...JSON.stringify(response).matchAll(/"code":\{"type":"string","enum":\[([^\]]*)\]/g)];
  return found.flatMap(([, list]) => list!.split(',').map((text) => text.slice(1, -1)));
}

describe('the table of errors', () => {
  let document: OpenAPIObject;
  beforeAll(async () => {
    document = await offlineOpenApiDocument();
  });

  it('matches the page section by section, in both directions', () => {
    expect(sorted(sectionsOf(errorsMarkdown()))).toEqual(sorted(WANTED));
  });

  it('matches docs/errors.md as committed', () => {
    expect(sorted(sectionsOf(readFileSync('docs/errors.md', 'utf8')))).toEqual(sorted(WANTED));
  });

  it('matches the sections of the page that problems link to', () => {
    const ids = [...errorsHtml().matchAll(/<section id="(\w+)"/g)].map((match) => match[1]!);
    expect(ids.toSorted()).toEqual(ENTRIES.map(([code]) => code).toSorted());
  });

  it('matches the codes that the document allows', () => {
    const problem = document.components?.schemas?.['Problem'] as { properties: { code: { enum: string[] } } };
    expect(problem.properties.code.enum.toSorted()).toEqual(HTTP_CODES.toSorted());
  });

  it('gives each code the status of the response that carries it', () => {
    for (const { operationId, responses } of operationsOf(document)) {
      for (const [status, response] of Object.entries(responses)) {
        if (Number(status) < 400) continue;
        const codes = codesOf(response);
        expect(codes.length, `${operationId} ${status}`).toBeGreaterThan(0);
        for (const code of codes) {
          expect(ERROR_CODES[code as keyof typeof ERROR_CODES].status, `${operationId} ${code}`).toBe(
            Number(status),
          );
        }
      }
    }
  });

  it('has no code that no response carries', () => {
    const carried = new Set(
      operationsOf(document).flatMap(({ responses }) => Object.values(responses).flatMap(codesOf)),
    );
    // It answers a request whose method has no operation, so no operation documents it.
    expect(HTTP_CODES.filter((code) => !carried.has(code))).toEqual(['method_not_allowed']);
  });

  it('covers every status of the contract, and has a title and text for each code', () => {
    const statuses = new Set(ENTRIES.map(([, { status }]) => status));
    for (const status of [400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 429, 500, 503]) {
      expect(statuses).toContain(status);
    }
    for (const [code, { title, text }] of ENTRIES) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(title, code).toMatch(/^[A-Z][^.]*$/);
      expect(text, code).toMatch(/^[A-Z`].*\.$/s);
    }
  });
});
