import type { CommandState } from '#schema/command/command'
import type { Tone } from '../kit/status-chip.tsx'

export const commandTones: Record<CommandState, Tone> = {
  queued: 'offline',
  sending: 'pending',
  sent: 'pending',
  accepted: 'pending',
  done: 'online',
  failed: 'critical',
  timedOut: 'critical',
  expired: 'warning',
  cancelled: 'offline',
}
