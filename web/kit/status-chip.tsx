/** A state as icon, text and colour, never by colour alone. Offline is grey; red means that action is needed. */
import {
  type Icon,
  IconAlertOctagon,
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconClock,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Hint } from './hint.tsx'
import { t } from './i18n.ts'
import classes from './kit.module.css'

export type Tone = 'online' | 'offline' | 'warning' | 'major' | 'critical' | 'pending'
const icons: Record<Tone, Icon> = {
  online: IconCircleCheck,
  offline: IconCircleDashed,
  warning: IconAlertTriangle,
  major: IconAlertTriangle,
  critical: IconAlertOctagon,
  pending: IconClock,
}

type Props = {
  tone: Tone
  label?: ReactNode
  hint?: ReactNode
  /** In place of the tone's own icon, where one tone has several meanings. */
  Shape?: Icon
}

/** Without `label` the tone's own text is shown ("Online", "Offline" …). */
export function StatusChip({ tone, label, hint, Shape = icons[tone] }: Props) {
  const chip = (
    <span
      className={classes['chip']}
      data-text
      style={{ color: `var(--${tone})`, background: `var(--${tone}-soft)` }}
    >
      <Shape size={14} stroke={2} aria-hidden />
      {label ?? t(`kit:tone.${tone}`)}
    </span>
  )
  return hint ? <Hint label={hint}>{chip}</Hint> : chip
}
