import { t } from '@lingui/core/macro';
import { Group } from '@mantine/core';
import { CompareFacts } from './compare-facts.js';
import type { CompareProps } from './compare-props.js';
import classes from './side-by-side.module.css';

/** Two pictures whose pixels do not coincide, such as a photo and a cropped result, each as a whole. */
export function SideBySide(props: Omit<CompareProps, 'isApart'>) {
  const { beforeUrl, afterUrl, size, label, alt, actions, isSmall = false } = props;
  const { beforeLabel = t`Before`, afterLabel = t`After` } = props;
  const isNamed = props.beforeLabel !== undefined && props.afterLabel !== undefined;
  const pictures = [
    { key: 'before', url: beforeUrl, name: beforeLabel },
    { key: 'after', url: afterUrl, name: afterLabel },
  ];
  return (
    <section aria-label={isNamed ? t`${beforeLabel} and ${afterLabel}` : t`Before and after`}>
      {actions !== undefined && (
        <Group justify="flex-end" gap="xs" mb="sm">
          {actions}
        </Group>
      )}
      <div className={classes['pair']} data-small={isSmall}>
        {pictures.map(({ key, url, name }) => (
          <figure key={key} className={classes['picture']}>
            <div className={classes['frame']}>
              <img
                src={url}
                alt={`${name}: ${alt}`}
                draggable={false}
                onError={key === 'before' ? props.onBeforeMissing : undefined}
              />
            </div>
            <figcaption>
              {name}
              {key === 'after' && <CompareFacts label={label} size={size} />}
            </figcaption>
          </figure>
        ))}
      </div>
    </section>
  );
}
