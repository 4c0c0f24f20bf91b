/** Repeater: the device is a client of other Wi-Fi networks, and passes on what its own clients send. */
import { z } from 'zod'
import { field } from '#schema/kit/field'
import { finished, inverted, saidBy, text, textOf } from '../bind.ts'
import { rowWhere as at, inRow, type RowBound, sectionOfRow } from '../bind-rows.ts'
import { configPage, type DeviceTraits, type PageFault } from '../config-page.ts'
import { exactOrNone, line, macOrNone, rowKey, secretText, word } from '../page-fields.ts'
import { firstRepeated } from '../parts/repeated.ts'
import { isStation, repeaterMode, repeaterModes, withRepeaterMode } from '../parts/repeater-mode.ts'
import type { UciDoc } from '../uci.ts'

/** `other`: what this page does not know (802.1X, WEP); it stays as it is. */
const securities = ['none', 'owe', 'psk', 'psk2', 'psk-mixed', 'sae', 'sae-mixed', 'other'] as const
const KEYED = { security: ['psk', 'psk2', 'psk-mixed', 'sae', 'sae-mixed'] }

const row = z.object({
  ...rowKey,
  // [§5 Repeater name] 0 to 31 characters, unique.
  name: line(31).default(''),
  enabled: z.boolean().default(true),
  radio: field(word(16).default('radio0'), { needed: true, refersTo: 'radio' }),
  ssid: field(exactOrNone('ssid', 32), { needed: true }),
  bssid: macOrNone,
  security: z.enum(securities).default('psk2'),
  key: field(secretText(exactOrNone('wifiKey', 64)), { when: KEYED, needed: true }),
})

const body = z.object({
  mode: z.enum(repeaterModes).default('routed'),
  repeaters: z.array(row).max(8).default([]),
})

/** The cipher after `+` is kept unless the security is changed. */
const security: RowBound = {
  option: 'encryption',
  get: (found) => {
    const said = textOf(found).split('+')[0] ?? ''
    return said === '' ? 'none' : (securities.find((one) => one === said) ?? 'other')
  },
  put: String,
}

const stations = { package: 'wireless', type: 'wifi-iface', only: isStation }

const bounds = (doc: UciDoc) => ({
  mode: finished({ package: 'wireless', type: 'wifi-iface' }, 'wds', repeaterMode(doc)),
  repeaters: {
    ...stations,
    added: { mode: 'sta' },
    fields: {
      // No program reads it; it is only for people.
      name: inRow(text(at, 'label')),
      enabled: inRow(inverted(at, 'disabled')),
      radio: inRow(text(at, 'device')),
      ssid: inRow(text(at, 'ssid')),
      bssid: inRow(text(at, 'bssid')),
      security,
      key: inRow(text(at, 'key')),
    },
  },
})

const HEX_KEY = /^[0-9A-Fa-f]{64}$/

function faultsOf({ mode, repeaters }: z.output<typeof body>, doc: UciDoc, { abilities }: DeviceTraits) {
  const faults: PageFault[] = [
    ...(mode === 'relay' && !abilities.has('relayd')
      ? [{ path: 'mode', text: 'repeater:fault.noRelayd' } as const]
      : []),
    ...firstRepeated(repeaters, 'repeaters', 'name', 'repeater:fault.nameTaken'),
    ...repeaters.flatMap(({ id, security: said, key }, i): PageFault[] => [
      ...(said === 'other' && security.get(saidBy(sectionOfRow(doc, stations, id), 'encryption')) !== 'other'
        ? [{ path: `repeaters.${i}.security`, text: 'repeater:fault.other' } as const]
        : []),
      // SAE derives from a passphrase; hostapd refuses a raw key.
      ...(said.startsWith('sae') && HEX_KEY.test(key)
        ? [{ path: `repeaters.${i}.key`, text: 'repeater:fault.hexKey' } as const]
        : []),
    ]),
  ]
  return faults
}

export const repeater = configPage({
  name: 'repeater',
  group: 'network',
  place: 60,
  icon: 'access-point',
  packages: ['wireless', 'network', 'firewall', 'dhcp'],
  carriedBy: 'stock',
  needs: ['wifi'],
  trial: 'radio',
  body,
  bounds,
  finish: (after, { mode }, _, before) => withRepeaterMode(after, mode, before),
  check: faultsOf,
})
