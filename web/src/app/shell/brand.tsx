import { t } from '@lingui/core/macro';
import { Link } from 'react-router';
import classes from './brand.module.css';

/** The product's logo and name, which link to the home page. */
export function Brand() {
  return (
    <Link to="/" className={classes['root'] ?? ''}>
      <svg viewBox="0 0 32 32" width={24} height={24} aria-hidden>
        <rect width="32" height="32" rx="8" fill="var(--mantine-primary-color-filled)" />
        <path d="M16 6v20" stroke="#fff" strokeWidth="2" strokeLinecap="round" />
        <path d="M16 10a6 6 0 0 0 0 12z" fill="#fff" fillOpacity=".55" />
        <path d="M16 10a6 6 0 0 1 0 12z" fill="#fff" />
      </svg>
      {t`Image Enhancement`}
    </Link>
  );
}
