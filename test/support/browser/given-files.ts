import type { Page } from 'playwright-core';
import { photo } from '../images/images.js';

/** A file that a person drops, pastes or chooses. */
export interface GivenFile {
  readonly name: string;
  readonly type: string;
  readonly base64: string;
}

/** A photo of this name. */
export async function givenPhoto(name: string, width = 240, height = 180): Promise<GivenFile> {
  return { name, type: 'image/jpeg', base64: (await photo(width, height, 'jpeg')).toString('base64') };
}

/**
 * Drops files on an element like a person, or pastes them with Ctrl+V.
 * @returns whether the page accepted them, so that the browser does not open them
 */
export function giveFiles(
  page: Page,
  kind: 'drop' | 'paste',
  selector: string,
  files: readonly GivenFile[],
): Promise<boolean> {
  return page.evaluate(
    ([how, where, list]) => {
      const data = new DataTransfer();
      for (const { name, type, base64 } of list) {
        const bytes = Uint8Array.from(atob(base64), (byte) => byte.codePointAt(0)!);
        data.items.add(new File([bytes], name, { type }));
      }
      const options = { bubbles: true, cancelable: true };
      const event =
        how === 'drop'
          ? new DragEvent('drop', { ...options, dataTransfer: data })
          : new ClipboardEvent('paste', { ...options, clipboardData: data });
      document.querySelector(where)!.dispatchEvent(event);
      return event.defaultPrevented;
    },
    [kind, selector, files] as const,
  );
}
