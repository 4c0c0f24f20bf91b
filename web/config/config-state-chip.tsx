import {
  type Icon,
  IconAlertTriangle,
  IconArrowBackUp,
  IconCircleCheck,
  IconCircleDashed,
  IconClock,
  IconCloudDownload,
  IconGitCompare,
} from '@tabler/icons-react'
import type { ConfigState } from '#schema/config/config-state'
import { t } from '../kit/i18n.ts'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'

const looks: Readonly<Record<ConfigState, { tone: Tone; Shape: Icon }>> = {
  inStep: { tone: 'online', Shape: IconCircleCheck },
  waiting: { tone: 'pending', Shape: IconClock },
  differs: { tone: 'warning', Shape: IconGitCompare },
  refused: { tone: 'major', Shape: IconAlertTriangle },
  reverted: { tone: 'major', Shape: IconArrowBackUp },
  unread: { tone: 'pending', Shape: IconCloudDownload },
  unsupported: { tone: 'offline', Shape: IconCircleDashed },
}

/** The state of a device's configuration: by icon, text and colour. */
export const ConfigStateChip = ({ state }: { state: ConfigState }) => (
  <StatusChip {...looks[state]} label={t(`config:state.${state}`)} hint={t(`config:stateHint.${state}`)} />
)
