import { expect, it } from 'vitest'
import { sampleDoc } from '../sample-doc.ts'
import { wan } from './wan.ts'

const traits = { abilities: new Set<string>(), model: null }
const values = wan.read(sampleDoc, traits)
const wanOf = (doc: typeof sampleDoc) => doc['network']?.sections.find(({ name }) => name === 'wan')

it('reads the interface and the device behind it', () => {
  expect(values).toMatchObject({ mode: 'dhcp', metric: 10, mac: '02:00:5E:10:00:01', peerDns: true, dns: [] })
})

it('changes only the options that differ, and keeps what no field knows', () => {
  const written = wan.write(
    sampleDoc,
    { ...values, mode: 'static', address: '10.1.2.3', netmask: '255.255.255.0', gateway: '10.1.2.1' },
    traits,
  )
  expect(wanOf(written)?.options).toEqual([
    { name: 'device', value: 'eth0' },
    { name: 'proto', value: 'static' },
    { name: 'metric', value: '10' },
    { name: 'some_other', value: 'kept' },
    { name: 'ipaddr', value: '10.1.2.3' },
    { name: 'netmask', value: '255.255.255.0' },
    { name: 'gateway', value: '10.1.2.1' },
  ])
})

it('refuses a gateway outside of the network of the address', () => {
  const wrong = {
    ...values,
    mode: 'static' as const,
    address: '10.1.2.3',
    netmask: '255.255.255.0',
    gateway: '10.1.3.1',
  }
  expect(wan.check?.(wrong, sampleDoc, traits)).toEqual([
    { path: 'gateway', text: 'wan:fault.gatewayOutside' },
  ])
})
