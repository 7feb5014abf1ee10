import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { NAV_ITEMS } from './nav-items.js';

const CHORD_MS = 1_000;
const STORAGE_KEY = 'shortcuts';

/** Single-key shortcuts can conflict with speech input, so users can turn them off (WCAG 2.1.4). */
export function areShortcutsOn(): boolean {
  return localStorage.getItem(STORAGE_KEY) !== 'off';
}

export function setShortcutsOn(isOn: boolean): void {
  localStorage.setItem(STORAGE_KEY, isOn ? 'on' : 'off');
}

/**
 * "g" followed by a letter opens a page, and "?" shows all shortcuts. Inactive while the user types or a dialog is
 * open.
 */
export function useShortcuts(onHelp: () => void): void {
  const navigate = useNavigate();
  const chordUntilMs = useRef(0);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !areShortcutsOn() || isBusy(event.target)) return;
      if (event.key === '?') onHelp();
      else if (event.key === 'g') chordUntilMs.current = performance.now() + CHORD_MS;
      else if (performance.now() < chordUntilMs.current) {
        chordUntilMs.current = 0;
        const item = NAV_ITEMS.find(({ key }) => key === event.key);
        if (item !== undefined) void navigate(item.path);
      }
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [navigate, onHelp]);
}

function isBusy(target: EventTarget | null): boolean {
  const isTyping =
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
  return isTyping || document.querySelector('[role="dialog"]') !== null;
}
