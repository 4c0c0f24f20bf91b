/** Severities differ in colour and in shape, because not every user can distinguish colours. */
import {
  type Icon,
  IconAlertCircle,
  IconAlertOctagonFilled,
  IconAlertTriangleFilled,
  IconInfoSquareRounded,
  IconSquareRotatedFilled,
} from '@tabler/icons-react'
import type { Severity } from '#schema/alarm/alarm-kind'
import type { Tone } from '../kit/status-chip.tsx'

export const severityLooks: Record<Severity, { tone: Tone; Shape: Icon }> = {
  critical: { tone: 'critical', Shape: IconAlertOctagonFilled },
  major: { tone: 'major', Shape: IconAlertTriangleFilled },
  minor: { tone: 'warning', Shape: IconSquareRotatedFilled },
  warning: { tone: 'pending', Shape: IconAlertCircle },
  info: { tone: 'offline', Shape: IconInfoSquareRounded },
}
