import { Jimp, type JimpInstance, loadFont, measureText } from 'jimp';
import { SANS_16_BLACK, SANS_32_BLACK } from 'jimp/fonts';

export type Font = Awaited<ReturnType<typeof loadFont>>;

export interface Fonts {
  readonly large: Font;
  readonly small: Font;
}

/** Open Sans as bitmaps of 32 and 16 pixels, the two sizes that include characters beyond ASCII (Latin-1). */
export async function loadFonts(): Promise<Fonts> {
  return { large: await loadFont(SANS_32_BLACK), small: await loadFont(SANS_16_BLACK) };
}

/** Replacements for common characters that the fonts lack. */
const SUBSTITUTES: Readonly<Record<string, string>> = {
  '→': '>',
  '←': '<',
  '–': '-',
  '—': '-',
  '−': '-',
  '…': '...',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
};

/**
 * Draws one line of text. Text that is too long is shortened with an ellipsis.
 * @param place top left corner and available width
 * @param gray 0 (black) to 255. The fonts are black, so the letters are tinted on a separate layer.
 */
export function drawLabel(
  sheet: JimpInstance,
  font: Font,
  text: string,
  place: { readonly x: number; readonly y: number; readonly width: number },
  gray: number,
): void {
  const line = shortened(font, printable(font, text), place.width);
  if (line === '') return;
  const width = measureText(font, line) + font.common.lineHeight;
  const layer = new Jimp({ width, height: font.common.lineHeight * 2, color: 0x00000000 });
  layer.print({ font, x: 0, y: 0, text: line });
  const { data } = layer.bitmap;
  for (let at = 0; at < data.length; at += 4) data.fill(gray, at, at + 3);
  sheet.composite(layer, place.x, place.y);
}

function printable(font: Font, text: string): string {
  return Array.from(text, (character) => SUBSTITUTES[character] ?? character)
    .join('')
    .replace(/[^]/gu, (character) => (character in font.chars ? character : '?'));
}

function shortened(font: Font, text: string, width: number): string {
  if (measureText(font, text) <= width) return text;
  let end = text.length;
  while (end > 0 && measureText(font, `${text.slice(0, end)}...`) > width) end -= 1;
  return end > 0 ? `${text.slice(0, end).trimEnd()}...` : '';
}
