import { describe, expect, it } from 'vitest';
import { AUDIT_ACTIONS } from '../../../../src/audit/audit-actions.js';
import { actionText } from './action-texts.js';

describe('the English titles of actions', () => {
  it.each(Object.entries(AUDIT_ACTIONS))('%s: those of the service', (action, title) => {
    expect(actionText({ action, title: '' })).toBe(title);
  });
});
