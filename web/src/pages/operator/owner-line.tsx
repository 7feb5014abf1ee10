import { Link } from 'react-router';
import classes from './owner-line.module.css';

export interface OwnerLineProps {
  readonly accountId: string;
  /** The name of an organization, or the email address of a user. */
  readonly account: string;
  /** The id of the item itself. */
  readonly id: string;
}

/** The account that an item belongs to, and the item's id. */
export function OwnerLine({ accountId, account, id }: OwnerLineProps) {
  return (
    <span className={classes['root']}>
      <Link to={`/operator/accounts/${accountId}`} className={classes['account'] ?? ''}>
        {account}
      </Link>{' '}
      <code>{id}</code>
    </span>
  );
}
