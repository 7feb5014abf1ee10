import { describe, expect, it } from 'vitest';
import { testAccountOf } from '../../kernel/accounts/livemode.js';
import { KnownSources } from './known-sources.js';
import type { SourceOfJob } from './sources.repository.js';

const source: SourceOfJob = {
  id: 'src_1',
  sha256: 'ab',
  format: 'png',
  width: 4,
  height: 3,
  hasAlpha: true,
  deleted: false,
  name: 'private.png',
};

describe('known sources', () => {
  it('have what a job needs, except for the file name', () => {
    const sources = new KnownSources();
    sources.add('acc_1', source);
    expect(sources.get('acc_1', 'src_1')).toEqual({ ...source, name: null });
  });

  it('belong to one account, and are gone once forgotten', () => {
    const sources = new KnownSources();
    sources.add('acc_1', source);
    expect(sources.get('acc_2', 'src_1')).toBeUndefined();
    sources.forget('acc_1', 'src_1');
    expect(sources.get('acc_1', 'src_1')).toBeUndefined();
  });

  it('are not remembered in test mode, where the file name chooses the outcome', () => {
    const sources = new KnownSources();
    sources.add(testAccountOf('acc_1'), source);
    expect(sources.get(testAccountOf('acc_1'), 'src_1')).toBeUndefined();
  });
});
