import { t } from '@lingui/core/macro';
import { NativeSelect, Stack, Switch, Text } from '@mantine/core';
import type { Output } from 'image-enhancement-client';
import { BackgroundField } from './background-field.js';
import classes from './output-options.module.css';
import { DEFAULT_QUALITY, outputSummary } from './output-text.js';
import { RangeField } from './range-field.js';
import { formatPercent } from '../../../lib/format.js';

const FORMATS = [
  { value: '', label: t`Automatic` },
  { value: 'jpeg', label: 'JPEG' },
  { value: 'png', label: 'PNG' },
  { value: 'webp', label: 'WebP' },
  { value: 'avif', label: 'AVIF' },
];

export interface OutputOptionsProps {
  readonly output: Output;
  /** Whether any step makes the background transparent. */
  readonly hasAlpha: boolean;
  readonly onChange: (change: Partial<Output>) => void;
}

/** The appearance and size of the result. Initially collapsed. */
export function OutputOptions({ output, hasAlpha, onChange }: OutputOptionsProps) {
  const { format } = output;
  const usualQuality = format === undefined ? undefined : DEFAULT_QUALITY[format];
  return (
    <details className={classes['root']}>
      <summary className={classes['summary']}>
        <span>{t`Result options`}</span>
        <span className={classes['chosen']}>{outputSummary(output)}</span>
      </summary>
      <Stack gap="md" className={classes['fields'] ?? ''}>
        <NativeSelect
          label={t`Format`}
          value={format ?? ''}
          data={FORMATS}
          onChange={(event) =>
            onChange({
              format: (event.currentTarget.value || undefined) as Output['format'],
              quality: undefined,
            })
          }
        />
        {usualQuality !== undefined && (
          <RangeField
            label={t`Quality`}
            min={1}
            max={100}
            value={output.quality ?? usualQuality}
            text={output.quality === undefined ? t`${usualQuality} (default)` : String(output.quality)}
            onChange={(quality) => onChange({ quality: quality === usualQuality ? undefined : quality })}
          />
        )}
        <BackgroundField
          value={output.background ?? null}
          canBePicture={hasAlpha}
          onChange={(background) => onChange({ background: background ?? undefined })}
        />
        <Switch
          label={t`Crop to the subject`}
          checked={output.crop !== undefined}
          disabled={!hasAlpha && output.crop === undefined}
          onChange={(event) =>
            onChange(
              event.currentTarget.checked ? { crop: 'subject' } : { crop: undefined, padding: undefined },
            )
          }
        />
        {output.crop !== undefined && (
          <RangeField
            label={t`Padding`}
            min={0}
            max={50}
            value={Math.round((output.padding ?? 0) * 100)}
            text={formatPercent(output.padding ?? 0)}
            onChange={(percent) => onChange({ padding: percent === 0 ? undefined : percent / 100 })}
          />
        )}
        <Switch
          label={t`Shadow`}
          checked={isSet(output.shadow)}
          disabled={!hasAlpha && !isSet(output.shadow)}
          onChange={(event) => onChange({ shadow: event.currentTarget.checked ? true : undefined })}
        />
        {!hasAlpha && (
          <Text size="xs" c="dimmed">
            {t`Crop, shadow and background images need a step that removes the background.`}
          </Text>
        )}
      </Stack>
    </details>
  );
}

function isSet(shadow: Output['shadow']): boolean {
  return shadow !== undefined && shadow !== false;
}
