import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'

/** The colour schemes to choose from. */
export const schemes = [
  { scheme: 'light', Icon: IconSun, label: 'kit:theme.light' },
  { scheme: 'dark', Icon: IconMoon, label: 'kit:theme.dark' },
  { scheme: 'auto', Icon: IconDeviceDesktop, label: 'kit:theme.auto' },
] as const
