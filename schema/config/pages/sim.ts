/** Mobile uplinks wan1 and wan2, and when the device changes from one SIM card to the other. */
import { z } from 'zod'
import { field } from '#schema/kit/field'
import { shaped } from '#schema/kit/shape'
import {
  flag,
  indexOf,
  inverted,
  number,
  readBound,
  saidBy,
  sectionOf,
  text,
  textOf,
  withMissing,
  withOption,
  withSection,
} from '../bind.ts'
import { configPage, type DeviceTraits, type PageFault } from '../config-page.ts'
import { ruledOrNone, secretText, word } from '../page-fields.ts'
import {
  authBound,
  authModes,
  choosesMode,
  ipTypeBound,
  ipTypes,
  type ModemProtocol,
  missingPreference,
  modeBound,
  type NetworkMode,
  networkModes,
  protocolOf,
  signsInByName,
} from '../parts/modem.ts'
import type { UciDoc } from '../uci.ts'
import { inZone, zoneOf, zonesOf } from '../zone.ts'

const used = { when: { enabled: [true] } }
const signedIn = { when: { enabled: [true], auth: authModes.filter((mode) => mode !== 'none') } }
const modes = Object.keys(networkModes) as [NetworkMode, ...NetworkMode[]]

const slot = z.object({
  enabled: z.boolean().default(false),
  apn: field(word(100).default(''), used),
  auth: field(z.enum(authModes).default('none'), used),
  username: field(word(64).default(''), { ...signedIn, needed: true }),
  password: field(secretText(word(64).default('')), signedIn),
  pin: field(
    secretText(
      z
        .union([
          z.literal(''),
          z
            .string()
            .trim()
            .regex(shaped(/^\d{4,8}$/, 'simPin')),
        ])
        .default(''),
    ),
    used,
  ),
  mode: field(z.enum(modes).default('auto'), used),
  // Country and network of the operator [3GPP TS 23.003 §2.2]; '' lets the modem choose.
  operator: field(
    z
      .union([
        z.literal(''),
        z
          .string()
          .trim()
          .regex(shaped(/^\d{5,6}$/, 'operatorCode')),
      ])
      .default(''),
    used,
  ),
  ipType: field(z.enum(ipTypes).default('ipv4'), used),
  metric: field(z.int().min(0).max(9999).default(0), used),
})

const switching = { when: { enabled: [true] } }
const policy = z.object({
  enabled: z.boolean().default(false),
  // [§5 SIM monitoring]
  rssiMin: field(z.int().min(0).max(30).default(5), { ...switching, unit: 'CSQ' }),
  latencyMaxMs: field(z.int().min(100).max(3000).default(1000), switching),
  retries: field(z.int().min(0).max(5).default(3), switching),
  target: field(ruledOrNone('host', 253), { ...switching, needed: true }),
  intervalS: field(z.int().min(10).max(3600).default(60), switching),
  back: field(z.boolean().default(true), switching),
  backAfterMinutes: field(z.int().min(1).max(1440).default(30), { when: { enabled: [true], back: [true] } }),
})

const body = z.object({ sim1: slot, sim2: slot, policy })
type Values = z.output<typeof body>
type Slot = 'sim1' | 'sim2'
const slots: readonly Slot[] = ['sim1', 'sim2']

const interfaceOf = (one: Slot) =>
  ({ package: 'network', type: 'interface', name: one === 'sim1' ? 'wan1' : 'wan2' }) as const

const hasInterface = (doc: UciDoc, one: Slot) =>
  saidBy(sectionOf(doc, interfaceOf(one)), 'proto') !== undefined

/**
 * Of a card that has no interface yet, which gets one behind the usual wired uplink. Always the same: a value that depended on
 * other interfaces would seem to change with these.
 */
const NEW_METRIC = { sim1: 30, sim2: 40 } as const

const otherOf = (one: Slot): Slot => (one === 'sim1' ? 'sim2' : 'sim1')
const protocolIn = (doc: UciDoc, one: Slot, traits: DeviceTraits): ModemProtocol =>
  protocolOf(doc, interfaceOf(one), traits, interfaceOf(otherOf(one)))

/** Carried out by the agent: docs/protocol.md, Packages of the agent. */
const policyAt = { package: 'simswitch', type: 'policy', name: 'policy' } as const

function slotBounds(doc: UciDoc, one: Slot, traits: DeviceTraits) {
  const at = interfaceOf(one)
  const protocol = protocolIn(doc, one, traits)
  return {
    enabled: inverted(at, 'disabled', indexOf(doc, at) >= 0),
    apn: text(at, 'apn'),
    auth: authBound(doc, at, protocol),
    username: text(at, 'username'),
    password: text(at, 'password'),
    pin: text(at, 'pincode'),
    mode: modeBound(at, protocol),
    operator: text(at, 'plmn'),
    ipType: ipTypeBound(at, protocol),
    metric: number(at, 'metric', hasInterface(doc, one) ? 0 : NEW_METRIC[one]),
  }
}

const bounds = (doc: UciDoc, traits: DeviceTraits) => ({
  sim1: slotBounds(doc, 'sim1', traits),
  sim2: slotBounds(doc, 'sim2', traits),
  policy: {
    enabled: flag(policyAt, 'enabled'),
    rssiMin: number(policyAt, 'rssi_min', 5),
    latencyMaxMs: number(policyAt, 'latency_max_ms', 1000),
    retries: number(policyAt, 'retries', 3),
    target: text(policyAt, 'target'),
    intervalS: number(policyAt, 'interval_s', 60),
    back: flag(policyAt, 'back', true),
    backAfterMinutes: number(policyAt, 'back_after_minutes', 30),
  },
})

/** A new interface needs a protocol, its modem, and a zone. Both cards are usually in one modem. */
function withInterface(doc: UciDoc, one: Slot, { metric }: Values[Slot], traits: DeviceTraits): UciDoc {
  const at = interfaceOf(one)
  const other = sectionOf(doc, interfaceOf(otherOf(one)))
  const device = textOf(saidBy(other, 'device')) || '/dev/cdc-wdm0'
  const options = { proto: protocolIn(doc, one, traits), device, metric: String(metric) }
  const whole = withSection(doc, at, (section) => withMissing(section, options))
  const free = zoneOf(whole, 'network', at.name) === '' && zonesOf(whole).includes('wan')
  return free ? inZone(whole, 'network', at.name, 'wan') : whole
}

/** What the script of the protocol needs besides the options of the fields. */
function asScriptsNeed(after: UciDoc, one: Slot, values: Values[Slot], traits: DeviceTraits, before: UciDoc) {
  const at = interfaceOf(one)
  const protocol = protocolIn(after, one, traits)
  const auth = authBound(before, at, protocol)
  const signedIn = readBound(before, auth) !== 'none'
  return withSection(after, at, (section) => {
    const said = (option: string) => textOf(saidBy(section, option))
    if (protocol === 'modemmanager') {
      const preferred = missingPreference(said('allowedmode'), said('preferredmode'))
      return preferred === null ? section : withOption(section, 'preferredmode', preferred)
    }
    const numbered = protocol === 'ncm' ? withOption(section, 'auth', auth.put(values.auth)) : section
    return signsInByName(protocol) && signedIn && values.auth === 'none'
      ? withOption(withOption(numbered, 'username', null), 'password', null)
      : numbered
  })
}

const finish = (after: UciDoc, values: Values, traits: DeviceTraits, before: UciDoc): UciDoc =>
  slots.reduce((doc, one) => {
    if (!values[one].enabled) return doc
    const whole = hasInterface(doc, one) ? doc : withInterface(doc, one, values[one], traits)
    return asScriptsNeed(whole, one, values[one], traits, before)
  }, after)

/** Into a command of a shell and of the modem, between quotation marks. */
const PLAIN_APN = /^[\w.@+-]*$/
/** ModemManager takes all settings of a connection as one list. */
const LISTABLE = /^(?!['"])[^,]*$/

/** Texts that do not reach the modem as they are. */
function faultsOfTexts(given: Values[Slot], one: Slot, protocol: ModemProtocol): PageFault[] {
  const { apn, auth, operator } = given
  const names = auth === 'none' ? (['apn'] as const) : (['apn', 'username', 'password'] as const)
  return [
    ...(protocol === 'mbim' && apn === ''
      ? [{ path: `${one}.apn`, text: 'sim:fault.apnNeeded' } as const]
      : []),
    ...(['3g', 'ncm'].includes(protocol) && !PLAIN_APN.test(apn)
      ? [{ path: `${one}.apn`, text: 'sim:fault.apnPlain' } as const]
      : []),
    ...names
      .filter((name) => protocol === 'modemmanager' && !LISTABLE.test(given[name]))
      .map((name) => ({ path: `${one}.${name}`, text: 'sim:fault.noComma' }) as const),
    // The script reads it as a number, in octal.
    ...(protocol === 'qmi' && operator.startsWith('0')
      ? [{ path: `${one}.operator`, text: 'sim:fault.operatorZero' } as const]
      : []),
  ]
}

function faultsOfSlot(values: Values, one: Slot, doc: UciDoc, traits: DeviceTraits): PageFault[] {
  const { enabled, auth, mode, operator, ipType } = values[one]
  if (!enabled) return []
  const protocol = protocolIn(doc, one, traits)
  const isNew = !hasInterface(doc, one)
  if (isNew && one === 'sim2' && !traits.abilities.has('dualSim'))
    return [{ path: 'sim2.enabled', text: 'sim:fault.oneSlot' }]
  // ModemManager knows a modem by a path that depends on the hardware; without the program for QMI it may be anything.
  const isUnknown = protocol !== 'qmi' || !traits.abilities.has('qmi')
  if (isNew && isUnknown && slots.every((any) => !hasInterface(doc, any)))
    return [{ path: `${one}.enabled`, text: 'sim:fault.noModem' }]
  return [
    ...faultsOfTexts(values[one], one, protocol),
    ...(auth === 'both' && ['mbim', 'ncm'].includes(protocol)
      ? [{ path: `${one}.auth`, text: 'sim:fault.notBoth' } as const]
      : []),
    ...(['pap', 'chap'].includes(auth) && protocol === '3g'
      ? [{ path: `${one}.auth`, text: 'sim:fault.onlyBoth' } as const]
      : []),
    ...(ipType !== 'ipv4' && protocol === '3g'
      ? [{ path: `${one}.ipType`, text: 'sim:fault.onlyIpv4' } as const]
      : []),
    ...(auth === 'mschapv2' && !['mbim', 'modemmanager'].includes(protocol)
      ? [{ path: `${one}.auth`, text: 'sim:fault.notMschapv2' } as const]
      : []),
    ...(operator !== '' && !choosesMode(protocol)
      ? [{ path: `${one}.operator`, text: 'sim:fault.operatorUnsupported' } as const]
      : []),
    ...(mode !== 'auto' && !choosesMode(protocol)
      ? [{ path: `${one}.mode`, text: 'sim:fault.modeUnsupported' } as const]
      : []),
  ]
}

/** Two default routes of one metric: the system refuses the second. */
const sameMetric = ({ sim1, sim2 }: Values) => sim1.enabled && sim2.enabled && sim1.metric === sim2.metric

const faultsOf = (values: Values, doc: UciDoc, traits: DeviceTraits): PageFault[] => [
  ...slots.flatMap((one) => faultsOfSlot(values, one, doc, traits)),
  ...(sameMetric(values) ? [{ path: 'sim2.metric', text: 'sim:fault.sameMetric' } as const] : []),
  ...(values.policy.enabled && !traits.abilities.has('simSwitch')
    ? [{ path: 'policy.enabled', text: 'sim:fault.noSwitch' } as const]
    : []),
]

export const sim = configPage({
  name: 'sim',
  group: 'network',
  place: 30,
  icon: 'device-sim',
  packages: ['network', 'firewall', 'simswitch'],
  carriedBy: { package: 'uqmi / modemmanager' },
  needs: ['mobile'],
  trial: 'radio',
  body,
  bounds,
  finish,
  check: faultsOf,
})
