import { describe, expect, it } from 'vitest';
import { DEFAULT_WEBHOOK_PORTS, isPortIn, WELL_KNOWN_PORTS } from './ports.js';

const isAllowed = (port: number): boolean => isPortIn(DEFAULT_WEBHOOK_PORTS, port);

describe('the default ports for webhooks', () => {
  it.each([80, 443, 1024, 3000, 3001, 4000, 5000, 8000, 8080, 8443, 9000, 49_152, 65_535])(
    'include %i',
    (port) => {
      expect(isAllowed(port)).toBe(true);
    },
  );

  it.each([
    0, 1, 21, 22, 23, 25, 53, 79, 81, 110, 143, 442, 444, 445, 465, 587, 993, 1023, 65_536, 70_000, -1,
  ])('exclude %i', (port) => {
    expect(isAllowed(port)).toBe(false);
  });

  it('exclude the well-known ports', () => {
    const wellKnown = Object.values(WELL_KNOWN_PORTS).flat();
    expect(wellKnown).toEqual(expect.arrayContaining([3306, 5432, 6379, 6667, 11_211, 27_017]));
    expect(wellKnown.filter(isAllowed)).toEqual([]);
  });

  it('include every other port from 1024 up', () => {
    const wellKnown = new Set(Object.values(WELL_KNOWN_PORTS).flat());
    const missing = [];
    for (let port = 1024; port <= 65_535; port += 1)
      if (!isAllowed(port) && !wellKnown.has(port)) missing.push(port);
    expect(missing).toEqual([]);
  });

  it('include every ephemeral port', () => {
    // Linux assigns 32768 to 60999, others 49152 to 65535.
    expect(
      Object.values(WELL_KNOWN_PORTS)
        .flat()
        .filter((port) => port >= 32_768),
    ).toEqual([]);
  });
});
