import { describe, expect, it } from 'vitest'
import { sampleDoc, section } from '../sample-doc.ts'
import { triedPage } from '../tried-page.ts'
import { bridgeVlan } from './bridge-vlan.ts'

const page = triedPage(bridgeVlan)
const lan = { id: '', bridge: 'br-lan', vlan: 1, ports: ['lan1:u*'] }
const guests = { id: '', bridge: 'br-lan', vlan: 30, ports: ['lan1:t', 'lan2'] }

it('reads bridges with their ports, and the devices of LAN and WAN', () => {
  expect(page.values).toEqual({
    bridges: [{ id: '@0', name: 'br-lan', ports: ['lan1', 'lan2'], stp: false }],
    vlans: [],
    lanDevice: 'br-lan',
    wanDevice: 'eth0',
  })
})

it('divides a bridge into VLANs, and puts the LAN on one of them', () => {
  expect(page.lines({ vlans: [lan, guests], lanDevice: 'br-lan.1' }, 'network')).toEqual([
    "+ option device 'br-lan.1'",
    '+ config bridge-vlan',
    "+ option vlan '1'",
    "+ list ports 'lan1:u*'",
    '+ config bridge-vlan',
    // That of the other VLAN is the line that the LAN had.
    "+ option device 'br-lan'",
    "+ option vlan '30'",
    "+ list ports 'lan1:t'",
    "+ list ports 'lan2'",
  ])
})

it('leaves the devices that are no bridges, and a modem, as they are', () => {
  const network = { name: 'network', sections: [section('interface', 'wan', { device: '/dev/cdc-wdm0' })] }
  const modem = triedPage(bridgeVlan, { network })
  expect(modem.values.wanDevice).toBe('')
  expect(modem.lines({}, 'network')).toEqual([])
  expect(page.lines({ bridges: [] }, 'network')).toEqual([
    "- option name 'br-lan'",
    "- option type 'bridge'",
    "- list ports 'lan1'",
    "- list ports 'lan2'",
    '- config device',
  ])
})

describe('refuses', () => {
  it('ids and ports out of bounds', () => {
    const paths = ['vlans.0.vlan', 'vlans.0.ports']
    const bad = { vlans: [{ ...lan, vlan: 4095, ports: ['lan1:x'] }] }
    expect(page.bounds(bad).form).toEqual(paths)
    expect(page.bounds(bad).server.map((path) => path.replace(/ports\.0$/, 'ports'))).toEqual(paths)
  })

  it('a port of two bridges, and two bridges of one name', () => {
    const bridges = [...page.values.bridges, { id: '', name: 'br-lan', ports: ['lan2'], stp: false }]
    expect(page.faults({ bridges })).toEqual([
      'bridges.1.name bridge-vlan:fault.nameTaken',
      'bridges.1.ports bridge-vlan:fault.portTaken',
    ])
  })

  it('a VLAN of no bridge, one that is there already, a port elsewhere, and two without a tag on one port', () => {
    const on = (vlans: (typeof lan)[]) => page.faults({ vlans, lanDevice: 'br-lan.1' })
    expect(on([lan, { ...guests, bridge: 'br-x' }])).toEqual(['vlans.1.bridge bridge-vlan:fault.noBridge'])
    expect(on([lan, { ...guests, vlan: 1 }])).toEqual(['vlans.1.vlan bridge-vlan:fault.vlanTaken'])
    expect(on([lan, { ...guests, ports: ['wan:t'] }])).toEqual(['vlans.1.ports bridge-vlan:fault.notItsPort'])
    expect(on([lan, { ...guests, ports: ['lan1'] }])).toEqual([
      'vlans.1.ports bridge-vlan:fault.untaggedTwice',
    ])
    expect(on([lan, guests])).toEqual([])
  })

  it('an interface on what carries nothing for it', () => {
    expect(page.faults({ vlans: [lan] })).toEqual(['lanDevice bridge-vlan:fault.hasVlans'])
    expect(page.faults({ vlans: [lan], lanDevice: 'br-lan.7' })).toEqual([
      'lanDevice bridge-vlan:fault.noVlan',
    ])
    expect(page.faults({ wanDevice: 'lan2' })).toEqual(['wanDevice bridge-vlan:fault.isPort'])
    // Without VLANs of its own a bridge may carry tagged frames of any.
    expect(page.faults({ lanDevice: 'br-lan.7' })).toEqual([])
  })

  it('to remove the VLAN that another interface uses', () => {
    const sections = [
      ...(sampleDoc['network']?.sections ?? []),
      section('bridge-vlan', null, { device: 'br-lan', vlan: '1', ports: ['lan1:u*'] }),
      section('bridge-vlan', null, { device: 'br-lan', vlan: '30', ports: ['lan1:t'] }),
      section('interface', 'guest', { proto: 'static', device: 'br-lan.30' }),
    ]
    const divided = triedPage(bridgeVlan, { network: { name: 'network', sections } })
    const [first] = divided.values.vlans
    if (!first) throw new Error('it has two')
    expect(divided.faults({ lanDevice: 'br-lan.1' })).toEqual([])
    expect(divided.faults({ lanDevice: 'br-lan.1', vlans: [first] })).toEqual([
      'vlans bridge-vlan:fault.noVlan',
    ])
  })
})
