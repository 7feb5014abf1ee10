import { t } from '@lingui/core/macro';
import { Burger, Drawer } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';
import { useImpersonation } from '../../api/session/session.js';
import { AccountMenu } from './account-menu/account-menu.js';
import { Brand } from './brand.js';
import { ConnectionBanner } from './connection-banner.js';
import { ImpersonationBanner } from './impersonation-banner.js';
import { NavLinks } from './nav-links.js';
import { SchemeSwitch } from './scheme-switch.js';
import classes from './shell.module.css';
import { useShortcuts } from './shortcuts.js';
import { ShortcutsModal } from './shortcuts-modal.js';
import { SkipLink } from './skip-link.js';
import { useEver } from './use-ever.js';
import { VerificationBanner } from './verification/verification-banner.js';

export interface ShellProps {
  readonly children: ReactNode;
}

/** The frame of every signed-in page: a navigation bar, or a menu button on phones. */
export function Shell({ children }: ShellProps) {
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const openHelp = useCallback(() => setIsHelpOpen(true), []);
  const closeMenu = useCallback(() => setIsMenuOpen(false), []);
  // Not rendered before they are first opened, because closed overlays would slow down the first render.
  const [hasMenu, hasHelp] = [useEver(isMenuOpen), useEver(isHelpOpen)];
  useShortcuts(openHelp);
  const main = useFocusOnNavigation();
  const isImpersonating = useImpersonation() !== null;
  const nav = (
    <nav aria-label={t`Pages`} className={classes['nav']}>
      <NavLinks onFollow={closeMenu} />
      <AccountMenu onHelp={openHelp} onFollow={closeMenu} />
    </nav>
  );
  return (
    <div className={classes['root']} data-banner={isImpersonating}>
      <SkipLink />
      <ImpersonationBanner />
      <ConnectionBanner />
      <header className={classes['top']}>
        <Burger
          className={classes['burger'] ?? ''}
          opened={isMenuOpen}
          onClick={() => setIsMenuOpen((isOpen) => !isOpen)}
          size="sm"
          aria-label={t`Menu`}
        />
        <Brand />
        <span className={classes['spacer']} />
        <SchemeSwitch />
      </header>
      <div className={classes['side']}>{nav}</div>
      {hasMenu && (
        <Drawer opened={isMenuOpen} onClose={closeMenu} title={t`Image Enhancement`} size={280}>
          {nav}
        </Drawer>
      )}
      <main id="main" ref={main} tabIndex={-1} className={classes['main']}>
        <VerificationBanner />
        {children}
      </main>
      {hasHelp && <ShortcutsModal isOpen={isHelpOpen} onClose={() => setIsHelpOpen(false)} />}
    </div>
  );
}

/** Moves the focus to the start of the content after navigation and after signing in, as after a full page load. */
function useFocusOnNavigation() {
  const ref = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const isFullLoad = useNavigationType() === NavigationType.Pop;
  const page = pathname.split('/')[1];
  const last = useRef(isFullLoad ? page : undefined);
  useEffect(() => {
    if (last.current === page) return;
    last.current = page;
    ref.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [page]);
  return ref;
}
