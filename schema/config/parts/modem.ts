/** The interface of a mobile modem: each protocol of OpenWrt calls the same things differently [openwrt.md §3 SIM]. */
import { type Bound, choice, saidBy, sectionOf, type Text, textOf, type Where } from '../bind.ts'
import type { DeviceTraits } from '../config-page.ts'
import type { UciDoc } from '../uci.ts'

export const modemProtocols = ['qmi', 'mbim', 'modemmanager', 'ncm', '3g'] as const
export type ModemProtocol = (typeof modemProtocols)[number]

const saidProtocol = (doc: UciDoc, where: Where): ModemProtocol | undefined => {
  const said = textOf(saidBy(sectionOf(doc, where), 'proto'))
  return modemProtocols.find((one) => one === said)
}

/** As the interface says; that of a new one as `beside`, which is in the same modem, else as the device is able to. */
export const protocolOf = (
  doc: UciDoc,
  where: Where,
  { abilities }: DeviceTraits,
  beside: Where,
): ModemProtocol =>
  saidProtocol(doc, where) ??
  saidProtocol(doc, beside) ??
  (abilities.has('modemmanager') && !abilities.has('qmi') ? 'modemmanager' : 'qmi')

export const authModes = ['none', 'pap', 'chap', 'both', 'mschapv2'] as const

/** The numbers that AT commands of most modems want; they refuse words. */
const NCM_AUTH = { none: '0', pap: '1', chap: '2' } as const

/** Protocols without a way to say "none": they sign in with any user name that is there. */
export const signsInByName = (protocol: ModemProtocol) => protocol === 'ncm' || protocol === '3g'

/** Without the option the modem tries what it likes, if there is a user name. */
const unsaid = (doc: UciDoc, where: Where) =>
  textOf(saidBy(sectionOf(doc, where), 'username')) === '' ? 'none' : 'both'

export function authBound(doc: UciDoc, where: Where, protocol: ModemProtocol): Bound {
  if (protocol === 'ncm') {
    const numbered = Object.entries(NCM_AUTH)
    const get = (found: Text | undefined) => {
      const said = textOf(found)
      return numbered.find(([name, number]) => said === number || said === name)?.[0] ?? 'none'
    }
    const put = (value: unknown) =>
      value === 'none' ? null : (NCM_AUTH[value as keyof typeof NCM_AUTH] ?? null)
    return { where, option: 'auth', get, put }
  }
  // pppd answers whatever it is asked for.
  if (protocol === '3g') return { where, option: 'auth', get: () => unsaid(doc, where), put: () => null }
  if (protocol !== 'modemmanager') return choice(where, 'auth', authModes, 'none')
  const get = (found: Text | undefined) => {
    const said = textOf(found)
    if (said === '') return unsaid(doc, where)
    if (/\bmschapv2\b/.test(said)) return 'mschapv2'
    const [pap, chap] = [/\bpap\b/.test(said), /\bchap\b/.test(said)]
    return pap && chap ? 'both' : pap ? 'pap' : chap ? 'chap' : 'none'
  }
  const put = (value: unknown) => (value === 'both' ? 'pap chap' : String(value))
  return { where, option: 'allowedauth', get, put }
}

export const ipTypes = ['ipv4', 'ipv6', 'ipv4v6'] as const

export function ipTypeBound(where: Where, protocol: ModemProtocol): Bound {
  const get = (found: Text | undefined) =>
    ipTypes.find((one) => one === textOf(found).toLowerCase()) ?? 'ipv4'
  const put = (value: unknown) => (protocol === 'qmi' && value === 'ipv4' ? 'ip' : String(value))
  return { where, option: protocol === 'modemmanager' ? 'iptype' : 'pdptype', get, put }
}

/** The radio technologies that a modem may use. Without the option it keeps its last setting. ModemManager's are in rising order. */
export const networkModes = {
  auto: { qmi: 'all', modemmanager: 'any' },
  '5g': { qmi: '5gnr', modemmanager: '5g' },
  '5g4g': { qmi: '5gnr,lte', modemmanager: '4g|5g' },
  '4g': { qmi: 'lte', modemmanager: '4g' },
  '4g3g': { qmi: 'lte,umts', modemmanager: '3g|4g' },
  '3g': { qmi: 'umts', modemmanager: '3g' },
  '2g': { qmi: 'gsm', modemmanager: '2g' },
} as const
export type NetworkMode = keyof typeof networkModes

const sorted = (modes: string) =>
  modes
    .split(/[,|\s]+/)
    .filter(Boolean)
    .sort()
    .join()

export const choosesMode = (protocol: ModemProtocol): protocol is 'qmi' | 'modemmanager' =>
  protocol === 'qmi' || protocol === 'modemmanager'

export function modeBound(where: Where, protocol: ModemProtocol): Bound {
  const words = choosesMode(protocol) ? protocol : 'qmi'
  const names = Object.keys(networkModes) as NetworkMode[]
  const get = (found: Text | undefined) =>
    names.find((name) => sorted(networkModes[name][words]) === sorted(textOf(found))) ?? 'auto'
  const put = (value: unknown) => networkModes[value as NetworkMode][words]
  return { where, option: words === 'qmi' ? 'modes' : 'allowedmode', get, put }
}

/**
 * ModemManager's script starts no connection with several modes and none of them preferred: the newest is, if no other is said.
 * null: nothing is missing.
 */
export function missingPreference(allowed: string, preferred: string): string | null {
  const modes = allowed.split('|')
  return modes.length < 2 || modes.includes(preferred) ? null : (modes.toSorted().at(-1) ?? null)
}
