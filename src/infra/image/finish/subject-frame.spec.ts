import { describe, expect, it } from 'vitest';
import { largestFrame, subjectFrame } from './subject-frame.js';

const PICTURE = { width: 1_000, height: 800 };
const SUBJECT = { x: 300, y: 200, width: 200, height: 400 };
const SHADOW = { opacity: 0.4, blur: 0.02, offsetX: 0.01, offsetY: 0.03 };

describe('subjectFrame', () => {
  it('is the bounds of the subject without padding', () => {
    expect(subjectFrame(SUBJECT, PICTURE, { padding: 0 })).toEqual(SUBJECT);
  });

  it('adds a share of the longer side on each side', () => {
    expect(subjectFrame(SUBJECT, PICTURE, { padding: 0.1 })).toEqual({
      x: 260,
      y: 160,
      width: 280,
      height: 480,
    });
  });

  it('extends beyond the picture, except where the picture cuts off the subject', () => {
    const portrait = { x: 20, y: 100, width: 960, height: 698 };
    expect(subjectFrame(portrait, PICTURE, { padding: 0.1 })).toEqual({
      x: -76,
      y: 4,
      width: 1_152,
      // The two rows of the source below the subject are no margin: the subject continues there.
      height: 796,
    });
  });

  it('includes the shadow, even where it extends beyond the padding', () => {
    // 2.5 standard deviations of 8 pixels, offset by 4 and 12.
    expect(subjectFrame(SUBJECT, PICTURE, { padding: 0.01, shadow: SHADOW })).toEqual({
      x: 300 - 16,
      y: 200 - 8,
      width: 200 + 16 + 24,
      height: 400 + 8 + 32,
    });
    expect(subjectFrame(SUBJECT, PICTURE, { padding: 0.5, shadow: SHADOW })).toEqual(
      subjectFrame(SUBJECT, PICTURE, { padding: 0.5 }),
    );
  });
});

describe('largestFrame', () => {
  it.each([{ padding: 0 }, { padding: 0.5 }, { padding: 0, shadow: SHADOW }])(
    'is at least as large as every frame with %j',
    (options) => {
      const largest = largestFrame(PICTURE, options);
      for (const subject of [
        { x: 0, y: 0, width: 1_000, height: 800 },
        { x: 6, y: 5, width: 988, height: 790 },
        { x: 400, y: 10, width: 10, height: 780 },
      ]) {
        const { width, height } = subjectFrame(subject, PICTURE, options);
        expect(width).toBeLessThanOrEqual(largest.width);
        expect(height).toBeLessThanOrEqual(largest.height);
      }
    },
  );
});
