import { describe, expect, it } from 'vitest';
import { RepeatedTexts } from './repeated-texts.js';

describe('RepeatedTexts', () => {
  it('makes each text due once a minute, with the number of times in between', () => {
    let nowMs = 0;
    const texts = new RepeatedTexts(() => nowMs);
    expect(texts.due('refused')).toBe(0);
    nowMs = 30_000;
    expect(texts.due('refused')).toBeUndefined();
    expect(texts.due('another')).toBe(0);
    nowMs = 59_999;
    expect(texts.due('refused')).toBeUndefined();
    nowMs = 60_000;
    expect(texts.due('refused')).toBe(2);
    expect(texts.due('another')).toBeUndefined();
    nowMs = 200_000;
    expect(texts.due('refused')).toBe(0);
  });
});
