import type { getSimSwitchList } from '#schema/device/sim-switch'
import { deviceWords } from '../kit/ended-text.ts'
import { t } from '../kit/i18n.ts'
import type { Column, Row } from '../kit/list/list-types.ts'
import { Mono } from '../kit/mono.tsx'
import { When } from '../kit/time.tsx'

type Switch = Row<typeof getSimSwitchList>

/** [§2] The switch-card record. */
export const switches: readonly Column<Switch>[] = [
  {
    key: 'at',
    title: 'device:event.at',
    width: 190,
    card: 'beside',
    render: ({ at }) => <When at={at} absolute />,
  },
  {
    key: 'to',
    title: 'detail:switch.change',
    width: 140,
    card: 'title',
    text: ({ from, to }) => `${from} → ${to}`,
    render: ({ from, to }) => `SIM ${from} → SIM ${to}`,
  },
  {
    key: 'reason',
    title: 'detail:switch.reason',
    width: 160,
    text: ({ reason }) => t(`detail:switchReason.${reason}`),
    render: ({ reason }) => t(`detail:switchReason.${reason}`),
  },
  { key: 'operator', title: 'device:network.operator', width: 150 },
  {
    key: 'toIccid',
    title: 'detail:switch.iccid',
    width: 220,
    render: ({ toIccid }) => <Mono value={toIccid} />,
  },
  {
    key: 'detail',
    title: 'detail:switch.detail',
    text: ({ detail }) => (detail ? deviceWords(detail) : ''),
    render: ({ detail }) => (detail ? deviceWords(detail) : null),
  },
]
