import { NavLink } from 'react-router';
import menu from './menu.module.css';
import { useNavItems } from './use-nav-items.js';

export interface NavLinksProps {
  readonly onFollow: () => void;
}

/** Links to the pages. The current one is marked visually and for screen readers. */
export function NavLinks({ onFollow }: NavLinksProps) {
  const items = useNavItems();
  return (
    <ul className={menu['list']} data-level="pages">
      {items.map(({ path, label, icon: Icon }) => (
        <li key={path}>
          <NavLink to={path} className={menu['entry'] ?? ''} onClick={onFollow}>
            <Icon size={18} stroke={1.7} aria-hidden />
            {label}
          </NavLink>
        </li>
      ))}
    </ul>
  );
}
