import { t } from '@lingui/core/macro';
import classes from './skip-link.module.css';

/** The first focusable element: a link that skips the navigation. */
export function SkipLink() {
  return (
    <a
      className={classes['link']}
      href="#main"
      onClick={(event) => {
        event.preventDefault();
        document.querySelector<HTMLElement>('#main')?.focus();
      }}
    >
      {t`Skip to content`}
    </a>
  );
}
