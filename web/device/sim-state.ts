import { simStates } from '#schema/device/section-radio'
import { t } from '../kit/i18n.ts'
import type { Option } from '../kit/list/list-types.ts'
import type { Tone } from '../kit/status-chip.tsx'

export const simTones: Record<(typeof simStates)[number], Tone> = {
  ready: 'online',
  absent: 'offline',
  pinRequired: 'warning',
  blocked: 'critical',
  error: 'critical',
}

export const useSimOptions = (): readonly Option[] =>
  simStates.map((value) => ({ value, label: t(`device:sim.${value}`) }))
