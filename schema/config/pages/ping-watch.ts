/** Network monitoring: what happens when hosts do not answer, by the package `watchcat`. */
import { z } from 'zod'
import { field } from '#schema/kit/field'
import { durationS, isIpv4, isIpv6 } from '#schema/kit/network-rules'
import { shaped } from '#schema/kit/shape'
import { type Text, text, textOf, wordsIn } from '../bind.ts'
import { rowWhere as at, inRow, type RowBound } from '../bind-rows.ts'
import { configPage, type PageFault } from '../config-page.ts'
import { rowKey, ruled } from '../page-fields.ts'

const modes = ['ping_reboot', 'restart_iface', 'run_script', 'periodic_reboot'] as const
const families = ['any', 'ipv4', 'ipv6'] as const
/** As its init script reads it; longer units it does not know. */
const time = (initial: string, accepted = /^[1-9]\d{0,8}[smhd]?$/) =>
  z.string().trim().max(10).regex(shaped(accepted, 'duration')).default(initial)

const PINGS = { mode: ['ping_reboot', 'restart_iface', 'run_script'] }
const REBOOTS = ['ping_reboot', 'periodic_reboot']
/** With more frequent reboots the device could hardly be reached to change this [openwrt.md §3 Monitoring]. */
const REBOOT_MIN_S = 300

const row = z.object({
  ...rowKey,
  mode: z.enum(modes).default('ping_reboot'),
  period: time('6h'),
  hosts: field(z.array(ruled('host', 253)).max(8).default([]), { when: PINGS, needed: true }),
  pingPeriod: field(time('60'), { when: PINGS }),
  family: field(z.enum(families).default('any'), { when: PINGS }),
  interface: field(
    z
      .string()
      .trim()
      .max(15)
      .regex(shaped(/^[\w.-]*$/, 'interfaceName'))
      .default(''),
    { when: PINGS, refersTo: 'device' },
  ),
  script: field(
    z
      .string()
      .trim()
      .max(128)
      .regex(shaped(/^(\/[\w.-]+)*$/, 'scriptPath'))
      .default(''),
    { when: { mode: ['run_script'] }, needed: true },
  ),
  // Without one, a reboot that hangs is not forced.
  forceDelay: field(time('60', /^(0|[1-9]\d{0,8}[smhd]?)$/), { when: { mode: REBOOTS } }),
})

const body = z.object({ watches: z.array(row).max(8).default([]) })

/** Former names of the modes that its init script still takes. */
const FORMER: Readonly<Record<string, string>> = {
  ping: 'ping_reboot',
  always: 'periodic_reboot',
  allways: 'periodic_reboot',
}
const oneOf =
  (choices: readonly string[], initial: string) =>
  (found: Text | undefined): string => {
    const said = FORMER[textOf(found)] ?? textOf(found)
    return choices.includes(said) ? said : initial
  }
const choiceIn = (option: string, choices: readonly string[], initial: string): RowBound => ({
  option,
  get: oneOf(choices, initial),
  put: String,
})

const hosts: RowBound = {
  ...inRow(wordsIn(at, 'pinghosts')),
  get: (found) => (found === undefined ? ['8.8.8.8'] : textOf(found).split(/\s+/).filter(Boolean)),
}

const bounds = () => ({
  watches: {
    package: 'watchcat',
    type: 'watchcat',
    fields: {
      mode: choiceIn('mode', modes, 'ping_reboot'),
      period: inRow(text(at, 'period', '120')),
      hosts,
      pingPeriod: inRow(text(at, 'pingperiod', '60')),
      family: choiceIn('addressfamily', families, 'any'),
      interface: inRow(text(at, 'interface')),
      script: inRow(text(at, 'script')),
      forceDelay: inRow(text(at, 'forcedelay', '60')),
    },
  },
})

/** Addresses of the other family, which never answer: the device would restart for ever. */
const unreachable = (family: (typeof families)[number], pinged: readonly string[]) =>
  pinged.find((host) => (family === 'ipv6' && isIpv4(host)) || (family === 'ipv4' && isIpv6(host)))

const faultsOf = ({ watches }: z.output<typeof body>): PageFault[] =>
  watches.flatMap(({ mode, period, pingPeriod, hosts: pinged, family, interface: name }, i): PageFault[] => {
    const at = `watches.${i}`
    const [periodS, pingS] = [durationS(period) ?? 0, durationS(pingPeriod) ?? 0]
    const pings = PINGS.mode.includes(mode)
    const never = pings ? unreachable(family, pinged) : undefined
    return [
      ...(REBOOTS.includes(mode) && periodS < REBOOT_MIN_S
        ? [{ path: `${at}.period`, text: 'ping-watch:fault.rebootsTooOften' } as const]
        : []),
      // The program would replace it by a fifth of the period without a word.
      ...(pings && pingS >= periodS
        ? [{ path: `${at}.pingPeriod`, text: 'ping-watch:fault.pingPeriodTooLong' } as const]
        : []),
      ...(pings && pinged.length === 0
        ? [{ path: `${at}.hosts`, text: 'ping-watch:fault.noHosts' } as const]
        : []),
      ...(never === undefined
        ? []
        : [{ path: `${at}.hosts`, text: 'ping-watch:fault.otherFamily', params: { host: never } } as const]),
      ...(mode === 'restart_iface' && name === ''
        ? [{ path: `${at}.interface`, text: 'ping-watch:fault.noInterface' } as const]
        : []),
    ]
  })

export const pingWatch = configPage({
  name: 'ping-watch',
  group: 'system',
  place: 520,
  icon: 'activity-heartbeat',
  packages: ['watchcat'],
  carriedBy: { package: 'watchcat' },
  needs: ['watchcat'],
  trial: 'none',
  body,
  bounds,
  check: faultsOf,
})
