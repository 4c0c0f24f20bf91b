import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorScheme,
  type MantineColorSchemeManager,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core'
import { t } from '../kit/i18n.ts'
import { readCookie, writeCookie } from '../kit/session.ts'

const brand: MantineColorsTuple = [
  '#E8F1FD',
  '#CFE1FA',
  '#8CC3FF',
  '#6CB2FF',
  '#4A95EC',
  '#2B78DA',
  '#1762C7',
  '#0F4FA8',
  '#0C4088',
  '#08306A',
]
const gray: MantineColorsTuple = [
  '#F5F6F8',
  '#EEF0F3',
  '#E6E9ED',
  '#DFE2E8',
  '#C4C9D1',
  '#9AA1AC',
  '#646A73',
  '#4E5969',
  '#343B47',
  '#1F2329',
]
const dark: MantineColorsTuple = [
  '#E6E9EF',
  '#B3BAC5',
  '#8F98A6',
  '#6B7585',
  '#303846',
  '#2A323E',
  '#222934',
  '#1A1F27',
  '#12161C',
  '#0B0E12',
]

/** Our colours for Mantine's names. */
const softTones: Readonly<Record<string, string>> = {
  yellow: 'warning',
  orange: 'warning',
  red: 'critical',
  green: 'online',
  teal: 'online',
  blue: 'pending',
}

/** White on the dark scheme's pale blue would be unreadable: filled controls use the token instead. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input)
  const name = input.color ?? input.theme.primaryColor
  if (input.variant === 'filled' && name === 'brand')
    return {
      ...colors,
      background: 'var(--primary)',
      hover: 'var(--primary-hover)',
      color: 'var(--on-primary)',
    }
  if (input.variant === 'filled' && name === 'red')
    return { ...colors, background: 'var(--critical)', hover: 'var(--critical)', color: 'var(--on-primary)' }
  if (input.variant === 'light' && name === 'brand')
    return {
      ...colors,
      background: 'var(--primary-soft)',
      hover: 'var(--primary-soft)',
      color: 'var(--primary)',
    }
  // Mantine's own soft yellow, red and green do not match this palette and are too bright in the dark scheme.
  const soft = input.variant === 'light' ? softTones[name] : undefined
  if (soft)
    return {
      ...colors,
      background: `var(--${soft}-soft)`,
      hover: `var(--${soft}-soft)`,
      color: `var(--${soft})`,
    }
  if (input.variant === 'light' && name === 'gray')
    return {
      ...colors,
      background: 'var(--offline-soft)',
      hover: 'var(--offline-soft)',
      color: 'var(--text-2)',
    }
  if ((input.variant === 'subtle' || input.variant === 'transparent') && name === 'gray')
    return { ...colors, color: 'var(--text-2)', hover: 'var(--hover)' }
  if (input.variant === 'subtle' && name === 'red')
    return { ...colors, color: 'var(--critical)', hover: 'var(--critical-soft)' }
  return colors
}

/** Evaluated when it is rendered: texts are loaded after this module. */
const closing = () => ({ closeButtonProps: { 'aria-label': t('kit:close') } })
/** Not "Close" alone: it stands beside the buttons of the page, some of which close more than a message. */
const closingMessage = () => ({ closeButtonProps: { 'aria-label': t('kit:closeMessage') } })

export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: { light: 6, dark: 3 },
  colors: { brand, gray, dark },
  variantColorResolver,
  fontFamily: 'var(--font-sans)',
  fontFamilyMonospace: 'var(--font-mono)',
  headings: {
    fontFamily: 'var(--font-sans)',
    fontWeight: '600',
    sizes: { h1: { fontSize: '20px', lineHeight: '28px' } },
  },
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '18px', sm: '22px', md: '22px', lg: '24px', xl: '28px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '3px', sm: '6px', md: '6px', lg: '8px', xl: '12px' },
  defaultRadius: 'sm',
  breakpoints: { xs: '390px', sm: '768px', md: '1200px', lg: '1440px', xl: '1920px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // With the corners of larger controls, one of 16 px would look like a radio button.
    Checkbox: { defaultProps: { iconColor: 'var(--on-primary)', size: 'xs', radius: 3 } },
    Tooltip: { defaultProps: { openDelay: 300, multiline: true, maw: 320, withArrow: true } },
    Drawer: { defaultProps: () => ({ position: 'right', size: 480, padding: 'md', ...closing() }) },
    Modal: { defaultProps: () => ({ size: 440, centered: true, ...closing() }) },
    Notification: { defaultProps: closingMessage },
    PasswordInput: {
      defaultProps: () => ({ visibilityToggleButtonProps: { 'aria-label': t('kit:showPassword') } }),
    },
    Menu: { defaultProps: { shadow: 'md', position: 'bottom-end' } },
    // Selecting the current option keeps it; optional fields have a clear button.
    Select: {
      defaultProps: { comboboxProps: { shadow: 'md' }, checkIconPosition: 'right', allowDeselect: false },
    },
    // Hints are below: the inputs of one row stay in line when only one of them has a hint.
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    // In the dark scheme its track has the colour of the page.
    SegmentedControl: { styles: { root: { boxShadow: 'inset 0 0 0 1px var(--border)' } } },
    Paper: { defaultProps: { withBorder: true } },
    Badge: { defaultProps: { tt: 'none' } },
  },
})

/** Set for both schemes: Mantine's own values have a more specific selector than :root. */
const overrides = {
  '--mantine-color-text': 'var(--text-1)',
  '--mantine-color-dimmed': 'var(--text-3)',
  '--mantine-color-placeholder': 'var(--text-3)',
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-anchor': 'var(--primary)',
  '--mantine-color-error': 'var(--critical)',
  '--mantine-color-default-border': 'var(--border)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-brand-filled': 'var(--primary)',
  '--mantine-color-brand-filled-hover': 'var(--primary-hover)',
  '--mantine-color-brand-text': 'var(--primary)',
  '--mantine-color-brand-outline': 'var(--primary)',
  '--mantine-color-brand-light': 'var(--primary-soft)',
  '--mantine-color-brand-light-color': 'var(--primary)',
  '--mantine-color-gray-light': 'var(--offline-soft)',
  '--mantine-color-gray-light-color': 'var(--text-2)',
  '--mantine-primary-color-contrast': 'var(--on-primary)',
}
export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: overrides, dark: overrides })

const YEAR_S = 365 * 86_400

/** In a cookie: local storage is cleared at every login [§4], and a script must read it before the first paint. */
export const schemeInCookie: MantineColorSchemeManager = {
  get: (otherwise) => {
    const stored = readCookie('theme')
    return stored === 'light' || stored === 'dark' || stored === 'auto' ? stored : otherwise
  },
  set: (scheme: MantineColorScheme) => writeCookie('theme', scheme, YEAR_S),
  subscribe: () => {},
  unsubscribe: () => {},
  clear: () => writeCookie('theme', '', 0),
}
