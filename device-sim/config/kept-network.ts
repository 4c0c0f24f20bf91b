/** What a factory reset keeps so that the device comes back: WAN and SIM settings. */
import type { UciPackage, UciSection } from '#schema/config/uci'
import { exportUci } from '#schema/config/uci'
import type { FileRow } from '../store.ts'
import { type ConfigDocument, packagePath } from './document.ts'

const isUplink = ({ type, name }: UciSection) => type === 'interface' && /^wan\d?$/.test(name ?? '')

export type KeptNetwork = {
  readonly uplinks: readonly UciSection[]
  readonly simswitch: UciPackage | undefined
}

export const keptNetwork = (config: ConfigDocument): KeptNetwork => ({
  uplinks: config.package('network')?.sections.filter(isUplink) ?? [],
  simswitch: config.package('simswitch'),
})

/** The packages of the factory, with these uplinks. */
export function withNetwork(config: ConfigDocument, { uplinks, simswitch }: KeptNetwork): FileRow[] {
  const network = config.package('network')
  if (!network) return []
  const sections = [...network.sections.filter((section) => !isUplink(section)), ...uplinks]
  const kept = [{ ...network, sections }, ...(simswitch ? [simswitch] : [])]
  return kept
    .map((one) => ({ path: packagePath(one.name), text: exportUci(one) }))
    .filter(({ text }, i) => text !== config.text(kept[i]?.name ?? ''))
}
