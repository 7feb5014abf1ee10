import { plural, t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { USER_STORAGE } from '../../api/session/user-storage.js';
import { Notice } from '../../components/notices/notice.js';
import { type LostPhotos, useChosenPhotos } from './chosen-photos.js';
import classes from './playground-layout.module.css';

/** Tells the user once that photos chosen before a reload must be chosen again. */
export function LostChoice() {
  const { readLost } = useChosenPhotos();
  const [lost] = useState(readLost);
  useEffect(() => {
    if (lost !== null) sessionStorage.removeItem(USER_STORAGE.chosen);
  }, [lost]);
  if (lost === null) return null;
  return (
    <div className={classes['hint']}>
      <Notice tone="info" role="status" title={titleOf(lost)}>
        {t`The page was reloaded, and browsers don't keep chosen files then. Photos that were already uploaded are under Photos.`}
      </Notice>
    </div>
  );
}

function titleOf({ name, count }: LostPhotos): string {
  const words = plural(count, { one: '# photo', other: '# photos' });
  if (name === null) return t`Choose your ${words} again`;
  return count === 1 ? t`Choose ${name} again` : t`Choose ${name} (${words}) again`;
}
