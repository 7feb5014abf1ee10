import { t } from '@lingui/core/macro';
import type { Job } from 'image-enhancement-client';
import { formatBytes, formatPercent, formatSize } from '../../../lib/format.js';

type Fact = readonly [label: string, value: string];

const METADATA = {
  strip: t`Removed`,
  keep: t`Kept`,
  'keep-no-gps': t`Kept without GPS coordinates`,
} as const;
const KINDS = { image: t`Image`, mask: t`Mask`, edges: t`Edges` } as const;

/** The requested output options, and what was applied, as text. Defaults are omitted. */
export function appliedFacts({ output, result }: Pick<Job, 'output' | 'result'>): readonly Fact[] {
  const applied = result?.applied;
  const quality = applied?.quality ?? output.quality;
  const metadata = applied?.metadata ?? output.metadata ?? 'strip';
  const kind = applied?.kind ?? output.kind ?? 'image';
  const facts: (Fact | null)[] = [
    quality === null || quality === undefined ? null : [t`Quality`, String(quality)],
    output.background === null ? null : [t`Background`, backgroundText(output.background)],
    output.crop === undefined ? null : [t`Crop`, cropText(output.padding ?? 0, applied?.crop)],
    output.shadow === undefined ? null : [t`Shadow`, t`${formatPercent(output.shadow.opacity)} opacity`],
    kind === 'image' ? null : [t`Shows`, KINDS[kind]],
    output.maxBytes === undefined ? null : [t`Maximum file size`, formatBytes(output.maxBytes)],
    metadata === 'strip' ? null : [t`Photo metadata`, METADATA[metadata]],
    output.provenance === true ? [t`Provenance`, t`Marked as enhanced by a model`] : null,
    applied?.confidence === undefined ? null : [t`Cutout confidence`, formatPercent(applied.confidence)],
  ];
  return facts.filter((fact) => fact !== null);
}

function backgroundText(background: NonNullable<Job['output']['background']>): string {
  if (typeof background === 'string') return background;
  return background.fit === 'contain' ? t`One of your photos, uncropped` : t`One of your photos`;
}

function cropText(padding: number, crop: { width: number; height: number } | undefined): string {
  const words = padding > 0 ? t`To the subject, ${formatPercent(padding)} padding` : t`To the subject`;
  return crop === undefined ? words : `${words}, ${formatSize(crop)}`;
}
