import type { ReactNode } from 'react';
import classes from './menu-fault.module.css';

/** Why an entry of the menu failed, below it. */
export function MenuFault({ children }: { readonly children: ReactNode }) {
  return (
    <p className={classes['root']} role="alert">
      {children}
    </p>
  );
}
