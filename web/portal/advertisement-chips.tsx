import type { deliveryStates } from '#schema/portal/portal-device'
import type { AdvertisementState } from '#schema/portal/portal-schedule'
import { t } from '../kit/i18n.ts'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'

const states: Record<AdvertisementState, Tone> = {
  running: 'online',
  planned: 'pending',
  ended: 'offline',
  disabled: 'offline',
}
export const StateChip = ({ state }: { state: AdvertisementState }) => (
  <StatusChip tone={states[state]} label={t(`advertisement:state.${state}`)} />
)

type Delivery = (typeof deliveryStates)[number] | 'none'
const deliveries: Record<Delivery, Tone> = {
  has: 'online',
  waiting: 'pending',
  failed: 'critical',
  unsupported: 'offline',
  none: 'offline',
}
type Props = {
  state: Delivery
  hint?: string | null
  /** Instead of "has it". */
  label?: string
}
export const DeliveryChip = ({ state, hint, label }: Props) => (
  <StatusChip
    tone={deliveries[state]}
    label={state === 'has' && label ? label : t(`advertisement:delivery.${state}`)}
    hint={hint}
  />
)
