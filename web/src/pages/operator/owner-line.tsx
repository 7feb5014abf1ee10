import { Link } from 'react-router';
import classes from './owner-line.module.css';

export interface OwnerLineProps {
  readonly accountId: string;
  /** Its name, or the email address of a user. */
  readonly account: string;
  /** Of the thing itself. */
  readonly id: string;
}

/** To which account something belongs, and its id. */
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
