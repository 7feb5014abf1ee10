import { t } from '@lingui/core/macro';
import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

/** The only accent color: a muted blue, so that the photos are the most colorful part of the page. */
const ACCENT: MantineColorsTuple = [
  '#eef1fc',
  '#dce2f7',
  '#b8c4ee',
  '#93a5e6',
  '#8297e3',
  '#5b74d6',
  '#4860ce',
  '#3850c4',
  '#2f45ac',
  '#263a94',
];

/** Cool grays of the dark scheme. Color 2 is for "dimmed" text, with a contrast of 4.5:1 on 7 and 6. */
const DARK: MantineColorsTuple = [
  '#dfe1e6',
  '#c3c6ce',
  '#a3a8b3',
  '#8a909c',
  '#3d424d',
  '#2c3039',
  '#20232a',
  '#17191f',
  '#111318',
  '#0c0e12',
];

const SYSTEM_FONT =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif';
const SYSTEM_MONOSPACE = 'ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace';

export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  colors: { accent: ACCENT, dark: DARK },
  black: '#1a1c22',
  fontFamily: SYSTEM_FONT,
  fontFamilyMonospace: SYSTEM_MONOSPACE,
  headings: {
    fontFamily: SYSTEM_FONT,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.3' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  // Labels and buttons are slightly lighter than the library's, and headings slightly lighter than bold.
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: { defaultProps: { centered: true, closeButtonProps: { 'aria-label': t`Close` } } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': t`Close` } } },
    Anchor: { defaultProps: { underline: 'always' } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
  },
});

/** Overrides grays and reds of the library that do not reach a contrast of 4.5:1 (WCAG AA). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': '#5a616b',
    '--mantine-color-placeholder': '#6b727c',
    '--mantine-color-error': '#c22727',
    '--mantine-color-default-border': '#dcdfe4',
    '--app-canvas': '#f7f8fa',
    '--app-line': '#e6e8ec',
    '--app-control-line': '#8a919c',
  },
  dark: {
    '--mantine-color-error': '#ff8a8a',
    '--mantine-color-default-border': '#3d424d',
    '--mantine-color-placeholder': '#8f95a1',
    '--app-canvas': '#111318',
    '--app-line': '#2a2e37',
    '--app-control-line': '#6b717d',
  },
});
