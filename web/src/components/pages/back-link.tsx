import { Anchor } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from 'react-router';
import classes from './back-link.module.css';

export interface BackLinkProps {
  readonly to: string;
  /** The page that it leads to. */
  readonly label: string;
}

/** A link above the heading of a subpage. */
export function BackLink({ to, label }: BackLinkProps) {
  return (
    <Anchor component={Link} to={to} size="sm" className={classes['root'] ?? ''}>
      <IconArrowLeft size={15} stroke={1.8} aria-hidden />
      {label}
    </Anchor>
  );
}
