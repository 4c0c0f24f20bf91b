/**
 * Relays and other switched outputs: the sections `gpio_switch` of stock OpenWrt. Their value here is the state after a
 * start.
 */
import { z } from 'zod'
import { field } from '#schema/kit/field'
import { shaped } from '#schema/kit/shape'
import { flag, text } from '../bind.ts'
import { rowWhere as at, inRow } from '../bind-rows.ts'
import { configPage, type PageFault } from '../config-page.ts'
import { rowKey } from '../page-fields.ts'
import { firstRepeated } from '../parts/repeated.ts'

/** A number, or the name of an exported pin below /sys/class/gpio. */
const PIN = shaped(/^([A-Za-z0-9_:.-]{1,64})?$/, 'gpioPin')

const row = z.object({
  ...rowKey,
  name: field(
    z
      .string()
      .trim()
      .max(32)
      .regex(shaped(/^[^\p{Cc}]*$/u, 'singleLine'))
      .default(''),
    { needed: true },
  ),
  gpioPin: field(z.string().trim().max(64).regex(PIN).default(''), { needed: true, secret: false }),
  on: z.boolean().default(false),
})

const body = z.object({ switches: z.array(row).max(32).default([]) })

const bounds = () => ({
  switches: {
    package: 'system',
    type: 'gpio_switch',
    fields: {
      name: inRow(text(at, 'name')),
      gpioPin: inRow(text(at, 'gpio_pin')),
      on: inRow(flag(at, 'value')),
    },
  },
})

/** People tell switches apart by their names; two on one pin would undo each other. */
const faultsOf = ({ switches }: z.output<typeof body>): PageFault[] => [
  ...firstRepeated(switches, 'switches', 'name', 'relay:fault.nameTaken'),
  ...firstRepeated(switches, 'switches', 'gpioPin', 'relay:fault.pinTaken'),
]

export const relay = configPage({
  name: 'relay',
  group: 'io',
  place: 410,
  icon: 'toggle-right',
  packages: ['system'],
  carriedBy: 'stock',
  needs: ['gpio'],
  trial: 'none',
  live: 'io',
  body,
  bounds,
  check: faultsOf,
})
