import { expect, it } from 'vitest'
import { triedPage } from '../tried-page.ts'
import { parseUci } from '../uci.ts'
import { switchVlan } from './switch-vlan.ts'

const network = parseUci(
  'network',
  `
config switch
	option name 'switch0'
	option reset '1'
	option enable_vlan '1'

config switch_vlan
	option device 'switch0'
	option vlan '1'
	option ports '1 2 6t'

config switch_vlan
	option device 'switch0'
	option vlan '2'
	option vid '7'
	option ports '0 6t'
	option description 'kept'
`,
)
const page = triedPage(switchVlan, { network })
const [lan, wan] = page.values.vlans
if (!lan || !wan) throw new Error('the sample has two')

it('reads the table of the switch, and changes only what differs', () => {
  expect(page.values).toEqual({
    enabled: true,
    vlans: [
      { id: '@0', chip: 'switch0', index: 1, vid: null, ports: ['1', '2', '6t'] },
      { id: '@1', chip: 'switch0', index: 2, vid: 7, ports: ['0', '6t'] },
    ],
  })
  expect(page.lines({ vlans: [{ ...lan, ports: ['1', '6t'] }, wan] }, 'network')).toEqual([
    "- option ports '1 2 6t'",
    "+ option ports '1 6t'",
  ])
})

it('refuses a number, an id and a port without a tag that another VLAN has', () => {
  const with2 = (changed: Partial<typeof wan>) => page.faults({ vlans: [lan, { ...wan, ...changed }] })
  expect(with2({ index: 1 })).toEqual(['vlans.1.index switch-vlan:fault.indexTaken'])
  expect(with2({ vid: 1 })).toEqual(['vlans.1.vid switch-vlan:fault.idTaken'])
  expect(with2({ ports: ['1', '6t'] })).toEqual(['vlans.1.ports switch-vlan:fault.untaggedTwice'])
  expect(with2({})).toEqual([])
})

it('refuses an id or a port out of bounds', () => {
  const { form } = page.bounds({ vlans: [{ ...lan, vid: 0, ports: ['lan1'] }] })
  expect(form).toEqual(['vlans.0.vid', 'vlans.0.ports'])
})
