import { NavLink } from 'react-router';
import classes from './nav-links.module.css';
import { NAV_ITEMS } from './nav-items.js';

export interface NavLinksProps {
  readonly onFollow: () => void;
}

/** The pages; the current one is marked for eyes and for screen readers. */
export function NavLinks({ onFollow }: NavLinksProps) {
  return (
    <ul className={classes['list']}>
      {NAV_ITEMS.map(({ path, label, icon: Icon }) => (
        <li key={path}>
          <NavLink to={path} className={classes['link'] ?? ''} onClick={onFollow}>
            <Icon size={18} stroke={1.7} aria-hidden />
            {label}
          </NavLink>
        </li>
      ))}
    </ul>
  );
}
