import { t } from '@lingui/core/macro';
import { Button, Input, NativeSelect, SegmentedControl, Text } from '@mantine/core';
import { IconPhotoPlus } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { Output } from 'image-enhancement-client';
import { ErrorState } from '../../../components/notices/error-state.js';
import { PHOTO_TYPES } from '../../../components/photo/photo-file.js';
import classes from './background-field.module.css';
import { useBackgroundPicture } from './use-background-picture.js';

type Background = NonNullable<Output['background']>;
type Kind = 'none' | 'color' | 'picture';

const WHITE = '#ffffff';
const COLORS = [
  { value: WHITE, label: t`White` },
  { value: '#f2f2f0', label: t`Off-white` },
  { value: '#c9d4e3', label: t`Pale blue` },
  { value: '#1f2430', label: t`Dark` },
];
const FITS = [
  { value: 'cover', label: t`Fill the result` },
  { value: 'contain', label: t`Show the whole image` },
];

export interface BackgroundFieldProps {
  readonly value: Background | null;
  readonly canBePicture: boolean;
  readonly onChange: (background: Background | null) => void;
}

/** The replacement for transparency: nothing, a color, or another photo. */
export function BackgroundField({ value, canBePicture, onChange }: BackgroundFieldProps) {
  const [isPicture, setIsPicture] = useState(false);
  const kind: Kind =
    typeof value === 'string' ? 'color' : value !== null || (isPicture && canBePicture) ? 'picture' : 'none';
  const choose = (next: Kind) => {
    setIsPicture(next === 'picture');
    onChange(next === 'color' ? WHITE : null);
  };
  return (
    <Input.Wrapper label={t`Background`} labelElement="div">
      <SegmentedControl<Kind>
        fullWidth
        mt={4}
        aria-label={t`Background`}
        value={kind}
        onChange={choose}
        data={[
          { value: 'none', label: t({ message: 'None', context: 'background' }) },
          { value: 'color', label: t`Color` },
          { value: 'picture', label: t`Image`, disabled: !canBePicture },
        ]}
      />
      {typeof value === 'string' && <ColorChoice value={value} onChange={onChange} />}
      {kind === 'picture' && (
        <PictureChoice value={typeof value === 'string' ? null : value} onChange={onChange} />
      )}
    </Input.Wrapper>
  );
}

function ColorChoice({ value, onChange }: { value: string; onChange: (color: string) => void }) {
  return (
    <div className={classes['colors']}>
      {COLORS.map(({ value: color, label }) => (
        <button
          key={color}
          type="button"
          className={classes['color']}
          style={{ backgroundColor: color }}
          aria-label={label}
          title={label}
          aria-pressed={color === value.toLowerCase()}
          onClick={() => onChange(color)}
        />
      ))}
      <input
        type="color"
        className={classes['own']}
        aria-label={t`Custom color`}
        title={t`Custom color`}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <code>{value}</code>
    </div>
  );
}

type Picture = Exclude<Background, string>;

function PictureChoice({ value, onChange }: { value: Picture | null; onChange: (picture: Picture) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const upload = useBackgroundPicture((sourceUrl) => onChange({ ...value, sourceUrl }));
  return (
    <div className={classes['picture']}>
      <input
        ref={input}
        type="file"
        hidden
        accept={PHOTO_TYPES.join(',')}
        aria-label={t`Background image`}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file !== undefined) upload.start(file);
          event.currentTarget.value = '';
        }}
      />
      <Button
        variant="default"
        size="xs"
        loading={upload.isBusy}
        leftSection={<IconPhotoPlus size={14} />}
        onClick={() => input.current?.click()}
      >
        {value === null ? t`Choose an image` : t`Choose another image`}
      </Button>
      {value !== null && (
        <>
          <Text size="xs" c="dimmed" truncate>
            {upload.name ?? t`One of your photos`}
          </Text>
          <NativeSelect
            size="xs"
            aria-label={t`Image fit`}
            value={value.fit ?? 'cover'}
            data={FITS}
            onChange={(event) =>
              onChange({ ...value, fit: event.currentTarget.value as 'cover' | 'contain' })
            }
          />
        </>
      )}
      {upload.error !== null && <ErrorState error={upload.error} />}
    </div>
  );
}
