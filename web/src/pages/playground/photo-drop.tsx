import { Button, Text, Title } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import '@mantine/dropzone/styles.css';
import { IconPhotoPlus } from '@tabler/icons-react';
import type { FileRejection } from 'react-dropzone';
import { type MouseEvent, useEffect, useRef, useState } from 'react';
import classes from './photo-drop.module.css';

const MAX_BYTES = 20 * 2 ** 20;
const TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'];

export interface PhotoDropProps {
  readonly onPhoto: (file: File) => void;
  /** Fetches the sample photo for people who have none at hand. */
  readonly onSample: () => void;
  readonly isSampleLoading: boolean;
}

/** Takes one photo: dropped, chosen or pasted. Says at once what it cannot take. */
export function PhotoDrop({ onPhoto, onSample, isSampleLoading }: PhotoDropProps) {
  const [fault, setFault] = useState<string | null>(null);
  const open = useRef<() => void>(null);
  const choose = (event: MouseEvent) => {
    // The zone around it would open the dialog a second time.
    event.stopPropagation();
    open.current?.();
  };
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => TYPES.includes(type));
      if (file !== undefined) onPhoto(file);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [onPhoto]);
  return (
    <div>
      <Dropzone
        className={classes['zone'] ?? ''}
        accept={TYPES}
        maxSize={MAX_BYTES}
        multiple={false}
        maxFiles={1}
        openRef={open}
        activateOnKeyboard={false}
        enablePointerEvents
        tabIndex={-1}
        inputProps={{ 'aria-label': 'Photo' }}
        onDrop={([file]) => file !== undefined && onPhoto(file)}
        onReject={(rejections) => setFault(faultOf(rejections))}
      >
        <div className={classes['inner']}>
          <IconPhotoPlus size={40} stroke={1.3} aria-hidden />
          <Title order={2}>Drop a photo here</Title>
          <Text size="sm" c="dimmed">
            JPEG, PNG, WebP or AVIF, up to 20 MB. You can also paste one.
          </Text>
          <Button variant="default" mt="sm" onClick={choose}>
            Choose a photo
          </Button>
        </div>
      </Dropzone>
      <div className={classes['below']}>
        <Text size="sm" c="dimmed">
          No photo handy?
        </Text>
        <Button variant="default" size="xs" loading={isSampleLoading} onClick={onSample}>
          Use the sample photo
        </Button>
      </div>
      <Text size="sm" c="var(--mantine-color-error)" role="alert">
        {fault}
      </Text>
    </div>
  );
}

function faultOf(rejections: readonly FileRejection[]): string {
  const code = rejections[0]?.errors[0]?.code;
  const name = rejections[0]?.file.name ?? 'That file';
  if (rejections.length > 1) return 'Choose one photo at a time.';
  if (code === 'file-too-large')
    return `${name} is larger than 20 MB. Resize it, or save it as JPEG or WebP.`;
  return `${name} is not a JPEG, PNG, WebP or AVIF image. Convert it to one of these first.`;
}
