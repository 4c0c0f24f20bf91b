import type { getTerminalList } from '#schema/device/terminal'
import { terminalProtocols } from '#schema/monitor/fields'
import { t } from '../kit/i18n.ts'
import type { Option, Row } from '../kit/list/list-types.ts'

export type Terminal = Row<typeof getTerminalList>

export const protocolOptions = (): readonly Option[] =>
  terminalProtocols.map((value) => ({ value, label: t(`terminal:protocol.${value}`) }))
