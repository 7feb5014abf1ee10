import { describe, expect, it } from 'vitest';
import type { Endpoint } from 'image-enhancement-client';
import { endpointBadge, endpointTrouble } from './endpoint-state.js';

const SINCE = '2026-01-15T12:00:00.000Z';
const endpoint = (changes: Partial<Endpoint>): Endpoint => ({
  id: 'we_1',
  url: 'https://shop.example.com/hooks',
  events: ['*'],
  description: null,
  metadata: {},
  enabled: true,
  disabledReason: null,
  failingSince: null,
  lastFailureAt: null,
  previousSecretExpiresAt: null,
  createdAt: SINCE,
  updatedAt: SINCE,
  ...changes,
});

describe('the state of an endpoint', () => {
  it('shows since when deliveries have failed', () => {
    const failing = endpoint({ failingSince: SINCE });
    expect(endpointTrouble(failing)).toMatch(/^No delivery has succeeded since Jan 15, 2026, .+\. Open/);
    expect(endpointBadge(failing).label).toBe('Failing');
  });

  it('shows no trouble while all is well, and why it was disabled', () => {
    expect(endpointTrouble(endpoint({}))).toBeNull();
    expect(endpointTrouble(endpoint({ enabled: false, disabledReason: 'gone' }))).toContain('410 Gone');
  });
});
