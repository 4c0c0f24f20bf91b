/** Bridges and VLANs of switch ports that are network devices (DSA), and the interfaces that use them. */
import { z } from 'zod'
import { field } from '#schema/kit/field'
import { shaped } from '#schema/kit/shape'
import { flag, list, number, saidBy, type Text, text, textOf } from '../bind.ts'
import { rowWhere as at, inRow } from '../bind-rows.ts'
import { configPage, type PageFault } from '../config-page.ts'
import { plainName, rowKey } from '../page-fields.ts'
import { firstRepeated } from '../parts/repeated.ts'
import type { UciDoc, UciSection } from '../uci.ts'

/** `lan1`, `lan1:u*`, `lan2:t`: untagged by default, `*` for frames that come in without a tag. */
const portText = z
  .string()
  .trim()
  .max(18)
  .regex(shaped(/^[A-Za-z0-9_.-]{1,15}(:([tu]\*?|\*))?$/, 'vlanPort'))

/** The kernel allows 15 characters. */
const bridgeName = plainName(15)
const onDevice = field(plainName(15).default(''), { refersTo: 'device' })

const bridge = z.object({
  ...rowKey,
  name: field(bridgeName.default(''), { needed: true }),
  ports: field(z.array(plainName(15)).max(32).default([]), { refersTo: 'device' }),
  stp: z.boolean().default(false),
})

const vlan = z.object({
  ...rowKey,
  bridge: field(bridgeName.default('br-lan'), { needed: true }),
  vlan: z.int().min(1).max(4094),
  ports: z.array(portText).max(32).default([]),
})

const body = z.object({
  bridges: z.array(bridge).max(16).default([]),
  vlans: z.array(vlan).max(64).default([]),
  lanDevice: onDevice,
  wanDevice: onDevice,
})
type Values = z.output<typeof body>

const interfaceAt = (name: string) => ({ package: 'network', type: 'interface', name })
const said = (section: UciSection, option: string) => textOf(saidBy(section, option))

/** Modems are files, which stay as they are. */
const deviceOf = (name: string) => {
  const plain = text(interfaceAt(name), 'device')
  return {
    ...plain,
    get: (found: Text | undefined) => (/^[A-Za-z0-9_.-]{1,15}$/.test(textOf(found)) ? textOf(found) : ''),
  }
}

const bounds = () => ({
  bridges: {
    package: 'network',
    type: 'device',
    only: (section: UciSection) => said(section, 'type') === 'bridge',
    added: { type: 'bridge' },
    fields: {
      name: inRow(text(at, 'name')),
      ports: inRow(list(at, 'ports')),
      stp: inRow(flag(at, 'stp')),
    },
  },
  vlans: {
    package: 'network',
    type: 'bridge-vlan',
    fields: {
      bridge: inRow(text(at, 'device')),
      vlan: inRow(number(at, 'vlan')),
      ports: inRow(list(at, 'ports')),
    },
  },
  lanDevice: deviceOf('lan'),
  wanDevice: deviceOf('wan'),
})

/** A port of two bridges is in neither. */
function faultsOfBridges({ bridges }: Values): PageFault[] {
  const owner = new Map<string, string>()
  const doubled = bridges.flatMap(({ name, ports }, i): PageFault[] => {
    const port = ports.find((one) => owner.has(one))
    for (const one of ports) owner.set(one, name)
    return port === undefined
      ? []
      : [{ path: `bridges.${i}.ports`, text: 'bridge-vlan:fault.portTaken', params: { port } }]
  })
  return [...firstRepeated(bridges, 'bridges', 'name', 'bridge-vlan:fault.nameTaken'), ...doubled]
}

function faultsOfVlans({ bridges, vlans }: Values): PageFault[] {
  const seen = new Set<string>()
  const isNew = (key: string) => seen.size < seen.add(key).size
  return vlans.flatMap(({ bridge: name, vlan: id, ports }, i): PageFault[] => {
    const own = bridges.find((one) => one.name === name)
    if (!own) return [{ path: `vlans.${i}.bridge`, text: 'bridge-vlan:fault.noBridge', params: { name } }]
    if (!isNew(`${name} ${id}`))
      return [{ path: `vlans.${i}.vlan`, text: 'bridge-vlan:fault.vlanTaken', params: { id } }]
    const path = `vlans.${i}.ports`
    const faults = ports.map((said): PageFault | null => {
      const [port = '', flags = ''] = said.split(':')
      if (!own.ports.includes(port))
        return { path, text: 'bridge-vlan:fault.notItsPort', params: { port, bridge: name } }
      // What leaves a port without a tag comes back without one, and can be of one VLAN only.
      return flags.startsWith('t') || isNew(`${name}:${port}`)
        ? null
        : { path, text: 'bridge-vlan:fault.untaggedTwice', params: { port } }
    })
    return faults.filter((one) => one !== null).slice(0, 1)
  })
}

/**
 * Devices that an interface cannot use: a bridge that has VLANs carries no traffic itself, a port belongs to its
 * bridge.
 */
function faultOf({ bridges, vlans }: Values, path: string, device: string): PageFault[] {
  const vlansOf = (name: string) => vlans.filter((one) => one.bridge === name)
  const [, base = '', id = ''] = /^(.+)\.(\d+)$/.exec(device) ?? []
  if (vlansOf(device).length > 0)
    return [
      { path, text: 'bridge-vlan:fault.hasVlans', params: { device, id: vlansOf(device)[0]?.vlan ?? 1 } },
    ]
  if (vlansOf(base).length > 0 && !vlansOf(base).some((one) => String(one.vlan) === id))
    return [{ path, text: 'bridge-vlan:fault.noVlan', params: { id, bridge: base } }]
  const owner = bridges.find(({ ports }) => ports.includes(device))
  return owner ? [{ path, text: 'bridge-vlan:fault.isPort', params: { device, bridge: owner.name } }] : []
}

/** Interfaces that no field of this page moves, such as that of guests, lose their network with a VLAN. */
const others = (doc: UciDoc): readonly string[] =>
  (doc['network']?.sections ?? []).flatMap((section) =>
    section.type === 'interface' && section.name !== 'lan' && section.name !== 'wan'
      ? [said(section, 'device')]
      : [],
  )

export const bridgeVlan = configPage({
  name: 'bridge-vlan',
  group: 'network',
  place: 25,
  icon: 'sitemap',
  packages: ['network'],
  carriedBy: 'stock',
  // Before, interfaces had their bridges themselves; firewall4 came one version later than `config device`.
  needs: ['dsa', 'fw4'],
  trial: 'wired',
  body,
  bounds,
  check: (values, doc) => [
    ...faultsOfBridges(values),
    ...faultsOfVlans(values),
    ...faultOf(values, 'lanDevice', values.lanDevice),
    ...faultOf(values, 'wanDevice', values.wanDevice),
    ...others(doc).flatMap((device) => faultOf(values, 'vlans', device)),
  ],
})
