import { describe, expect, it } from 'vitest';
import { AppError, type FieldError } from '../../../kernel/app-error.js';
import { DEFAULT_SHADOW } from '../../../kernel/output-options.js';
import type { OutputDto } from './output.dto.js';
import { backgroundFault, shadowFault, shadowOf } from './output-members.js';
import { planOutput, type RenderedImage } from './output-plan.js';

const CUTOUT: RenderedImage = {
  width: 400,
  height: 200,
  hasAlpha: true,
  cutout: 'bg_remove',
  format: 'jpeg',
};
const OPAQUE: RenderedImage = { ...CUTOUT, hasAlpha: false, cutout: undefined };
const PICTURE = {
  sourceId: 'src_1',
  format: 'jpeg',
  width: 30,
  height: 20,
  fit: 'cover',
  hasAlpha: false,
} as const;
const URL = 'https://images.example/files/src_1.jpg';

function faultsOf(given: OutputDto, rendered = CUTOUT): FieldError[] {
  try {
    planOutput(given, rendered);
  } catch (error) {
    if (error instanceof AppError)
      return error.errors.map(({ field, code, message }) => ({ field, code, message }));
    throw error;
  }
  return [];
}

describe('planOutput', () => {
  it('stores only what was requested', () => {
    expect(planOutput({}, CUTOUT)).toEqual({
      output: { format: 'png', quality: null, background: null },
      result: { format: 'png', width: 400, height: 200, hasAlpha: true },
    });
    const defaults = { kind: 'image', metadata: 'strip', provenance: false, shadow: false } as const;
    expect(planOutput(defaults, OPAQUE).output).toEqual({ format: 'jpeg', quality: null, background: null });
  });

  it('resolves every option', () => {
    const given = {
      crop: 'subject',
      padding: 0.05,
      shadow: { opacity: 0.2 },
      maxBytes: 50_000,
      metadata: 'keep-no-gps',
      provenance: true,
    } as const;
    expect(planOutput(given, CUTOUT).output).toMatchObject({
      ...given,
      shadow: { ...DEFAULT_SHADOW, opacity: 0.2 },
    });
  });

  it('counts the largest result that a crop allows', () => {
    const { output, result } = planOutput({ crop: 'subject', padding: 0.5 }, CUTOUT);
    expect(result).toMatchObject({ width: 800, height: 600 });
    expect(output.mostPixels).toBe(480_000);
  });

  it('knows which results stay transparent', () => {
    const hasAlpha = (given: OutputDto, picture?: Parameters<typeof planOutput>[2]) =>
      planOutput(given, CUTOUT, picture).result.hasAlpha;
    expect(hasAlpha({ background: '#ffffff' })).toBe(false);
    expect(hasAlpha({ kind: 'mask' })).toBe(false);
    expect(hasAlpha({ background: { sourceUrl: URL } }, PICTURE)).toBe(false);
    expect(hasAlpha({ background: { sourceUrl: URL } }, { ...PICTURE, fit: 'contain' })).toBe(true);
    expect(hasAlpha({ background: { sourceUrl: URL } }, { ...PICTURE, hasAlpha: true })).toBe(true);
  });

  it.each([
    ['crop', { crop: 'subject' }],
    ['shadow', { shadow: true }],
    ['kind', { kind: 'edges' }],
    ['background', { background: { sourceUrl: URL } }],
  ] as const)(
    'refuses %s without transparency, and accepts it with a transparent source',
    (option, given) => {
      expect(faultsOf(given, OPAQUE)).toEqual([
        {
          field: `output.${option}`,
          code: 'conflict',
          message: `output.${option} needs a result with transparency. Use it with bg_remove, or with a source that has transparency.`,
        },
      ]);
      expect(faultsOf({ ...given, format: 'png' }, { ...OPAQUE, hasAlpha: true })).toEqual([]);
    },
  );

  it('names every option that conflicts', () => {
    const given = { kind: 'mask', shadow: true, background: '#ffffff', padding: 0.1 } as const;
    expect(faultsOf(given).map(({ field, code }) => [field, code])).toEqual([
      ['output.background', 'conflict'],
      ['output.shadow', 'conflict'],
      ['output.padding', 'conflict'],
    ]);
  });

  it('requires a background for a JPEG, except for a matte', () => {
    expect(faultsOf({ format: 'jpeg' })).toMatchObject([{ field: 'output.background', code: 'required' }]);
    expect(faultsOf({ format: 'jpeg', kind: 'mask' })).toEqual([]);
    expect(faultsOf({ format: 'jpeg', background: { sourceUrl: URL } })).toEqual([]);
  });
});

describe('backgroundFault', () => {
  it.each(['#A0b1C2', { sourceUrl: URL }, { sourceUrl: URL, fit: 'contain' }])('accepts %j', (value) => {
    expect(backgroundFault(value)).toBeUndefined();
  });

  it.each([
    ['red', ''],
    ['#fff', ''],
    [7, ''],
    [[URL], ''],
    [{}, 'sourceUrl'],
    [{ sourceUrl: 7 }, 'sourceUrl'],
    [{ sourceUrl: `${URL}\0` }, 'sourceUrl'],
    [{ sourceUrl: `${URL}\ud800` }, 'sourceUrl'],
    [{ sourceUrl: URL, fit: 'fill' }, 'fit'],
    [{ sourceUrl: URL, position: 'left' }, 'position'],
  ])('refuses %j', (value, member) => {
    expect(backgroundFault(value)).toMatchObject({ member });
  });
});

describe('shadowFault', () => {
  it.each([true, false, {}, { opacity: 1, blur: 0, offsetX: -0.5, offsetY: 0.5 }])('accepts %j', (value) => {
    expect(shadowFault(value)).toBeUndefined();
  });

  it.each([
    ['soft', ''],
    [null, ''],
    [{ opacity: 1.1 }, 'opacity'],
    [{ blur: 0.3 }, 'blur'],
    [{ offsetX: '1' }, 'offsetX'],
    [{ color: '#000000' }, 'color'],
  ])('refuses %j', (value, member) => {
    expect(shadowFault(value)).toMatchObject({ member });
  });
});

describe('shadowOf', () => {
  it('fills in the defaults', () => {
    expect(shadowOf(true)).toEqual(DEFAULT_SHADOW);
    expect(shadowOf({ blur: 0 })).toEqual({ ...DEFAULT_SHADOW, blur: 0 });
    expect([shadowOf(false), shadowOf(undefined)]).toEqual([undefined, undefined]);
  });
});
