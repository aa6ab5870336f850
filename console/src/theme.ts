import { createTheme, type CSSVariablesResolver } from '@mantine/core';

const fonts = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
const monospace = "ui-monospace, 'SF Mono', 'Cascadia Mono', 'JetBrains Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/** Ten shades from light to dark: the green of kelp, which holds fast to its rock. */
const kelp = [
  '#eefaf6',
  '#d8f1e8',
  '#b0e3d2',
  '#82d2b9',
  '#54bd9f',
  '#2fa486',
  '#1a8a6f',
  '#0f715b',
  '#0c5a49',
  '#09463a',
] as const;

const slate = [
  '#e6e9ee',
  '#c6ccd6',
  '#a3acbb',
  '#8691a3',
  '#5d6879',
  '#3b4453',
  '#2a323e',
  '#1d232c',
  '#151a21',
  '#0e1217',
] as const;

const small = { defaultProps: { size: 'sm' } } as const;
const input = { defaultProps: { size: 'sm' } } as const;

export const theme = createTheme({
  primaryColor: 'kelp',
  primaryShade: 7,
  colors: { kelp, dark: slate },
  fontFamily: fonts,
  fontFamilyMonospace: monospace,
  headings: { fontFamily: fonts, fontWeight: '600', sizes: { h1: { fontSize: '1.25rem' }, h2: { fontSize: '0.9375rem' } } },
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  defaultRadius: 'md',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Button: { defaultProps: { size: 'xs' } },
    TextInput: input,
    PasswordInput: input,
    Textarea: input,
    Select: input,
    NativeSelect: input,
    Switch: small,
    Checkbox: small,
    Modal: { defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.4 } } },
    Drawer: { defaultProps: { overlayProps: { backgroundOpacity: 0.4 } } },
    Tooltip: { defaultProps: { openDelay: 300 } },
  },
});

/** Text that is secondary still has a contrast of 4.5 to 1. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: { '--mantine-color-dimmed': '#5a6473', '--mantine-color-body': '#f6f7f9', '--mantine-color-text': '#18202b' },
  dark: { '--mantine-color-dimmed': '#9aa5b5', '--mantine-color-body': '#0e1217', '--mantine-color-text': '#e3e7ed' },
});
