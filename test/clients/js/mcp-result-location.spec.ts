import { describe, expect, it } from 'vitest';
import { resultLocation } from '../../../clients/js/src/cli/mcp/result-location.js';

describe('resultLocation', () => {
  it('tells until when the URL works', () => {
    const url = 'https://images.example/files/job_1.png?exp=1796083200&sig=x';
    expect(resultLocation(url)).toContain(`${url} until 2026-12-01T00:00:00.000Z.`);
    expect(resultLocation(url)).not.toMatch(/day/);
  });

  it('promises no time if the URL does not name one', () => {
    const url = 'https://store.example/job_1.png';
    expect(resultLocation(url)).toContain(`at ${url}. get_status`);
  });
});
