/** VLANs of a switch chip with its own numbers of ports (swconfig), as older boards have it. */
import { z } from 'zod'
import { field } from '#schema/kit/field'
import { shaped } from '#schema/kit/shape'
import { flag, number, text, wordsIn } from '../bind.ts'
import { rowWhere as at, inRow } from '../bind-rows.ts'
import { configPage, type PageFault } from '../config-page.ts'
import { plainName, rowKey } from '../page-fields.ts'

/** `0t`, `2`, `3*`. */
const portText = z
  .string()
  .trim()
  .max(4)
  .regex(shaped(/^\d{1,2}[tu]?\*?$/, 'switchPort'))

const vlan = z.object({
  ...rowKey,
  chip: field(plainName(32).default('switch0'), { needed: true }),
  // The number of the table's row; without an id of its own that of the VLAN, too.
  index: z.int().min(0).max(4094),
  vid: z.int().min(1).max(4094).nullable().default(null),
  ports: z.array(portText).max(32).default([]),
})

const body = z.object({
  enabled: z.boolean().default(false),
  vlans: z.array(vlan).max(64).default([]),
})

const bounds = () => ({
  enabled: flag({ package: 'network', type: 'switch' }, 'enable_vlan'),
  vlans: {
    package: 'network',
    type: 'switch_vlan',
    fields: {
      chip: inRow(text(at, 'device')),
      index: inRow(number(at, 'vlan')),
      vid: inRow(number(at, 'vid')),
      ports: inRow(wordsIn(at, 'ports')),
    },
  },
})

function faultsOf({ vlans }: z.output<typeof body>): PageFault[] {
  const seen = new Set<string>()
  const isNew = (key: string) => seen.size < seen.add(key).size
  return vlans.flatMap(({ chip, index, vid, ports }, i): PageFault[] => {
    if (!isNew(`${chip} row ${index}`))
      return [{ path: `vlans.${i}.index`, text: 'switch-vlan:fault.indexTaken', params: { index } }]
    const id = vid ?? index
    if (!isNew(`${chip} id ${id}`))
      return [
        {
          path: `vlans.${i}.${vid === null ? 'index' : 'vid'}`,
          text: 'switch-vlan:fault.idTaken',
          params: { id },
        },
      ]
    const twice = ports.find(
      (port) => !port.includes('t') && !isNew(`${chip} port ${Number.parseInt(port, 10)}`),
    )
    return twice === undefined
      ? []
      : [{ path: `vlans.${i}.ports`, text: 'switch-vlan:fault.untaggedTwice', params: { port: twice } }]
  })
}

export const switchVlan = configPage({
  name: 'switch-vlan',
  group: 'network',
  place: 26,
  icon: 'sitemap',
  packages: ['network'],
  carriedBy: 'stock',
  needs: ['swconfig'],
  trial: 'wired',
  body,
  bounds,
  check: faultsOf,
})
