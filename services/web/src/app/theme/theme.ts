import {
  type ActionIconProps,
  type AnchorProps,
  type BadgeProps,
  type ButtonProps,
  type CardProps,
  type CSSVariablesResolver,
  createTheme,
  type DrawerProps,
  type InputWrapperProps,
  type MantineColorsTuple,
  type MenuProps,
  type ModalProps,
  type PaperProps,
  type SelectProps,
  type TableProps,
  type TextInputProps,
} from '@mantine/core';
import { texts } from '../texts/index.ts';

/** The one accent: a calm ink blue. Shade 7 on white and white on shade 6 have a contrast above 5:1. */
const ink: MantineColorsTuple = [
  '#eff4fb',
  '#dde7f5',
  '#b9cdec',
  '#94b3e3',
  '#7ea3de',
  '#5c87d1',
  '#3d6ac0',
  '#2f5aab',
  '#264b91',
  '#1b3a74',
];

const gray: MantineColorsTuple = [
  '#f7f8fa',
  '#f0f2f5',
  '#e6e9ee',
  '#d9dde4',
  '#c3c9d3',
  '#9ba4b2',
  '#667080',
  '#465060',
  '#2c3440',
  '#1a202a',
];

/** Dark enough for white text on it. */
const red: MantineColorsTuple = [
  '#fff1f1',
  '#ffe0e0',
  '#ffc4c4',
  '#ffa3a3',
  '#ff8787',
  '#f05252',
  '#d93636',
  '#c42b2b',
  '#a92323',
  '#8d1d1d',
];

const dark: MantineColorsTuple = [
  '#d5d9e0',
  '#bcc2cc',
  '#9ca5b3',
  '#7f8998',
  '#3a414d',
  '#2b313b',
  '#20252d',
  '#191d24',
  '#12151a',
  '#0c0e12',
];

/** Close buttons show only an icon. */
const NAMED = { 'aria-label': texts.common.close };

/** Does not import the components, which would enlarge the first load. */
const defaults = <Props>(defaultProps: Partial<Props>) => ({ defaultProps });

export const theme = createTheme({
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 6 },
  colors: { ink, gray, dark, red },
  black: '#1a202a',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.625rem', lineHeight: '1.25' },
      h2: { fontSize: '1.1875rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  autoContrast: true,
  components: {
    ActionIcon: defaults<ActionIconProps>({ variant: 'subtle', color: 'gray' }),
    Anchor: defaults<AnchorProps>({ underline: 'always' }),
    Badge: defaults<BadgeProps>({ variant: 'light', radius: 'sm', tt: 'none', fw: 550 }),
    Button: defaults<ButtonProps>({ fw: 550 }),
    Card: defaults<CardProps>({ withBorder: true, radius: 'lg', padding: 'lg' }),
    InputWrapper: defaults<InputWrapperProps>({ withAsterisk: false }),
    Drawer: defaults<DrawerProps>({ closeButtonProps: NAMED }),
    // The placeholder is no menu item, which axe reports.
    Menu: defaults<MenuProps>({ shadow: 'md', withInitialFocusPlaceholder: false }),
    Modal: {
      ...defaults<ModalProps>({
        centered: true,
        radius: 'lg',
        padding: 'lg',
        overlayProps: { backgroundOpacity: 0.45 },
        closeButtonProps: NAMED,
      }),
      styles: { title: { fontWeight: 650, fontSize: 'var(--mantine-font-size-lg)', lineHeight: 1.35 } },
    },
    Paper: defaults<PaperProps>({ radius: 'lg' }),
    Select: defaults<SelectProps>({ allowDeselect: false }),
    Table: defaults<TableProps>({ verticalSpacing: 'sm', horizontalSpacing: 'md' }),
    TextInput: defaults<TextInputProps>({ size: 'sm' }),
  },
});

/** A tint on dark. Mantine's own is nearly black. */
const tinted = (color: string) => ({
  [`--mantine-color-${color}-light`]: `color-mix(in srgb, var(--mantine-color-${color}-5) 22%, transparent)`,
  [`--mantine-color-${color}-light-hover`]: `color-mix(in srgb, var(--mantine-color-${color}-5) 30%, transparent)`,
  [`--mantine-color-${color}-light-color`]: `var(--mantine-color-${color}-2)`,
});

/** Replaces Mantine's grays that have less contrast than WCAG AA's 4.5:1, and sets the canvas behind cards. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--app-canvas': 'var(--mantine-color-gray-0)',
    '--app-line': 'var(--mantine-color-gray-2)',
    '--mantine-color-dimmed': '#596373',
    '--mantine-color-placeholder': '#697384',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-default-border': 'var(--mantine-color-gray-3)',
  },
  dark: {
    '--app-canvas': 'var(--mantine-color-dark-8)',
    '--app-line': 'var(--mantine-color-dark-5)',
    ...tinted('ink'),
    ...tinted('red'),
    '--mantine-color-dimmed': 'var(--mantine-color-dark-2)',
    '--mantine-color-placeholder': '#8d97a6',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-default-border': 'var(--mantine-color-dark-4)',
  },
});

/** The nonce of style elements. The content security policy refuses them without it. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

// `get-nonce` reads it for the style that locks scrolling under a dialog.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
