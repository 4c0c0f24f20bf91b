/** The state of a device as a chip, the same in every list, page, picker and on the map. */
import {
  type Icon,
  IconBan,
  IconCircleArrowUp,
  IconCircleCheck,
  IconCircleDashed,
  IconEyeOff,
  IconRotateClockwise,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { DeviceState as State } from '#schema/device/device-state'
import { duration, percent, shortMoment } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { serverNow } from '../kit/server/server-clock.ts'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'
import { useNow } from '../kit/time.tsx'

export type Stated = { state: State; stateAt: number | null; statePercent: number | null }

const looks: Record<State, { tone: Tone; Shape: Icon }> = {
  online: { tone: 'online', Shape: IconCircleCheck },
  rebooting: { tone: 'pending', Shape: IconRotateClockwise },
  upgrading: { tone: 'pending', Shape: IconCircleArrowUp },
  offline: { tone: 'offline', Shape: IconCircleDashed },
  neverSeen: { tone: 'offline', Shape: IconEyeOff },
  revoked: { tone: 'critical', Shape: IconBan },
}
export const stateTone = (state: State): Tone => looks[state].tone

/** The state alone, where many devices are counted. */
export const StateChip = ({ state }: { state: State }) => (
  <StatusChip {...looks[state]} label={t(`device-state:${state}`)} />
)

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

/** "Rebooting 12s", "Upgrading 40%", "Offline 3h". */
export function stateText({ state, stateAt, statePercent }: Stated, now: number): string {
  const name = t(`device-state:${state}`)
  const lasting = stateAt === null ? '' : ` ${duration((now - stateAt) / SECOND_MS, 'narrow', 1)}`
  if (state === 'upgrading') return statePercent === null ? name : `${name} ${percent(statePercent)}`
  return state === 'rebooting' || state === 'offline' ? name + lasting : name
}

/** "Offline since 14:02 (3 hr 5 min)". */
export const stateSince = ({ state, stateAt }: Pick<Stated, 'state' | 'stateAt'>, now: number): string =>
  t(`device-state:since.${stateAt === null ? 'neverSeen' : state}`, {
    at: stateAt === null ? '' : shortMoment(new Date(stateAt).toISOString(), now),
    for: stateAt === null ? '' : duration((now - stateAt) / SECOND_MS),
  })

/**
 * Seconds count while a device restarts and in its first minute offline; a whole list need not be drawn again every second.
 * After that minute, a clock that is cut to minutes would still show seconds, and these would not move: it shows a minute at least.
 */
export function stateClock({ state, stateAt }: Pick<Stated, 'state' | 'stateAt'>, now: number) {
  const since = state === 'offline' ? stateAt : null
  const isNew = since !== null && now - since < MINUTE_MS
  return {
    stepMs: state === 'rebooting' || isNew ? SECOND_MS : MINUTE_MS,
    atLeast: since === null || isNew ? 0 : since + MINUTE_MS,
  }
}

/** `more` follows the time in the hint: why it is offline. */
export function DeviceState({ device, more }: { device: Stated; more?: ReactNode }) {
  const { stepMs, atLeast } = stateClock(device, serverNow())
  const now = Math.max(useNow(stepMs), atLeast)
  const { tone, Shape } = looks[device.state]
  return (
    <StatusChip
      tone={tone}
      Shape={Shape}
      label={<span className="tabular">{stateText(device, now)}</span>}
      hint={
        <>
          {stateSince(device, now)}
          {more ? <> · {more}</> : null}
        </>
      }
    />
  )
}
