import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Notice } from '../../components/notices/notice.js';
import classes from './playground-layout.module.css';

const STORAGE_KEY = 'ies-first-visit';

/** Explains the first steps, once per browser. */
export function FirstVisit() {
  const [isSeen, setIsSeen] = useState(() => localStorage.getItem(STORAGE_KEY) !== null);
  if (isSeen) return null;
  const dismiss = () => {
    localStorage.setItem(STORAGE_KEY, 'seen');
    setIsSeen(true);
    // Moves the focus, because the focused button disappears.
    document.getElementById('main')?.focus();
  };
  return (
    <div className={classes['hint']}>
      <Notice tone="info" title={t`Welcome! Three steps to your first result`}>
        <span>
          {t`Drop a photo or try the sample, choose what to do with it, and press Enhance. Your results are saved under Results. To do the same from code, use an API key.`}
        </span>
        <div>
          <Button size="compact-sm" variant="default" mt={4} onClick={dismiss}>
            {t`Got it`}
          </Button>
        </div>
      </Notice>
    </div>
  );
}
