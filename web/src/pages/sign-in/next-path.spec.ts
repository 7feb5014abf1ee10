import { describe, expect, it } from 'vitest';
import { nextPath } from './next-path.js';

const pathOf = (query: string) => nextPath(new URLSearchParams(query));

describe('nextPath', () => {
  it.each([
    ['next=/keys', '/keys'],
    ['next=/jobs/job_1%3Ftab%3D2%23x', '/jobs/job_1?tab=2#x'],
    ['next=/jobs%3Fq%3Da%2520b', '/jobs?q=a%20b'],
  ])('keeps the page of %s', (query, path) => {
    expect(pathOf(query)).toBe(path);
  });

  it.each([
    '',
    'next=',
    'next=keys',
    'next=//evil.example',
    'next=/%5Cevil.example',
    'next=/%09/evil.example',
    'next=/%0A/evil.example',
    'next=/%0D/evil.example',
    'next=%09//evil.example',
    'next=https://evil.example',
  ])('does not follow %j', (query) => {
    expect(pathOf(query)).toBe('/playground');
  });
});
