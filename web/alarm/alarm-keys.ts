/** Shortcuts: J and K move, X selects, E acknowledges, H handles. */
import { useShortcuts } from '../kit/shortcuts.ts'

const labels = {
  j: 'alarm:keys.move',
  k: 'alarm:keys.move',
  x: 'alarm:keys.select',
  e: 'alarm:keys.acknowledge',
  h: 'alarm:keys.handle',
} as const
const keys = ['j', 'k', 'x', 'e', 'h'] as const

export const useAlarmKeys = (runs: Readonly<Record<(typeof keys)[number], () => void>>) =>
  useShortcuts(keys.map((key) => ({ key, label: labels[key], run: runs[key] })))
