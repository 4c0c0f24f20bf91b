/** Each adapter on messages in the form of its senders, and what none of them may be brought to do. */
import { expect, it } from 'vitest'
import type { SouthMapping } from '#schema/monitor/south/adapter'
import { mapping } from '#schema/monitor/south/mapping'
import { isSouthFilter, southKinds } from '#schema/monitor/south-kinds'
import { threadMs } from '#test/thread-time'
import { adapters as byName } from './south-adapters.ts'

const now = Date.UTC(2026, 10, 23)
const adapters = [...byName.values()]
const T = 1_790_000_000_000

function read(name: string, topic: string, payload: unknown, parts: SouthMapping = {}) {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
  const { samples, ...rest } =
    adapters
      .find((adapter) => adapter.name === name)
      ?.open(parts)
      .read({ topic, payload: Buffer.from(text), now }) ?? expect.fail(name)
  return {
    ...rest,
    samples: samples.map(({ source, name: own, at, value, quality, late }) =>
      [source, own, at === now ? 'now' : at, value, quality, late].filter((part) => part !== undefined),
    ),
  }
}

it('has one adapter for each kind, and proposes filters that it may', () => {
  expect(adapters.map(({ name }) => name).sort()).toEqual([...southKinds].sort())
  for (const { topics, fixed } of adapters)
    if (!fixed) expect(topics.filter((topic) => !isSouthFilter(topic))).toEqual([])
})

it.each(['', '#', '+/#', 'v1/gateway/#', '$SYS/x', 'a/#/b', 'a+/b', `${'a/'.repeat(9)}b`])(
  'refuses the filter "%s"',
  (filter) => expect(isSouthFilter(filter)).toBe(false),
)

it('Neuron: values with errors, and tags', () => {
  const common = { timestamp: T, node: 'press', group: 'slow' }
  expect(
    read('neuron', '/neuron/n1', { ...common, values: { a: 2.5, b: true }, errors: { c: 3001 } }).samples,
  ).toEqual([
    ['press', 'slow/a', T, 2.5],
    ['press', 'slow/b', T, true],
    ['press', 'slow/c', T, null, 'deviceError'],
  ])
  const tags = [{ name: 'a', value: 1, error: 0 }, { name: 'b', error: 2010 }, { value: 1 }]
  expect(read('neuron', '/neuron/n1', { ...common, tags }).samples).toEqual([
    ['press', 'slow/a', T, 1],
    ['press', 'slow/b', T, null, 'deviceError'],
  ])
  expect(read('neuron', '/neuron/n1', { values: { a: 1 } }).fault).toBe('unreadable')
})

it('ThingsBoard: telemetry by device, the own values of the gateway, and devices that leave', () => {
  const told = {
    Press: [
      { ts: T, values: { p: 1 } },
      { ts: T - 1000, values: { p: 2 } },
    ],
    Oven: [{ t: 180 }],
  }
  expect(read('thingsboard', 'v1/gateway/telemetry', told).samples).toEqual([
    ['Press', 'p', T, 1],
    ['Press', 'p', T - 1000, 2],
    ['Oven', 't', 'now', 180],
  ])
  expect(read('thingsboard', 'v1/devices/me/telemetry', { load: 3 }).samples).toEqual([
    ['me', 'load', 'now', 3],
  ])
  expect(read('thingsboard', 'v1/gateway/disconnect', { device: 'Oven' }).ended).toEqual([
    { source: 'Oven', at: now },
  ])
  expect(read('thingsboard', 'v1/gateway/rpc', { device: 'Oven', id: 1 }).samples).toEqual([])
})

it('King Pigeon: values, switches and texts; history is late', () => {
  const sensorDatas = [
    { flag: 'A1', value: '4.5' },
    { flag: 'D1', switcher: '0' },
    { flag: 'R1', str: 'on' },
    { flag: '', lat: 1 },
  ]
  expect(read('kingPigeon', 'x/8600', { sensorDatas, time: '1790000000' }).samples).toEqual([
    ['8600', 'A1', T, 4.5],
    ['8600', 'D1', T, false],
    ['8600', 'R1', T, 'on'],
  ])
  const old = { sensorDatas: [{ flag: 'A1', value: 1 }], time: '1790000000', retransmit: 'enable' }
  expect(read('kingPigeon', '8600', old).samples).toEqual([['8600', 'A1', T, 1, true]])
  expect(read('kingPigeon', '8600', { sensorDatas, down: 'down' }).samples).toEqual([])
})

it('collectd: names of the values of a type, nan is no value, N is now', () => {
  expect(read('collectd', 'collectd/r1/load/load', '1790000000.000:0.5:nan:1e-3\0').samples).toEqual([
    ['r1', 'load/load/shortterm', T, 0.5],
    ['r1', 'load/load/midterm', T, null],
    ['r1', 'load/load/longterm', T, 0.001],
  ])
  expect(read('collectd', 'a/b/r1/memory/memory-free', 'N:7').samples).toEqual([
    ['r1', 'memory/memory-free', 'now', 7],
  ])
  for (const text of ['', 'N', 'N:', '1:2:x', '1:2\n3:4'])
    expect(read('collectd', 'c/r1/load/load', text).fault).toBe('unreadable')
})

it('collectd as JSON, as write_http sends it: the names are those of the lines', () => {
  const lists = [
    {
      values: [197_141_504, 175_136_768],
      dstypes: ['derive', 'derive'],
      dsnames: ['read', 'write'],
      plugin: 'disk',
      plugin_instance: 'sda',
      type: 'disk_octets',
      type_instance: '',
    },
    {
      values: [null],
      dstypes: ['gauge'],
      dsnames: ['value'],
      plugin: 'thermal',
      plugin_instance: 'thermal_zone0',
      type: 'temperature',
      type_instance: '',
    },
    {
      values: [7, 'x', {}],
      dstypes: ['gauge'],
      plugin: 'memory',
      plugin_instance: '',
      type: 'memory',
      type_instance: 'free',
    },
  ].map((list) => ({ ...list, host: 'r1', time: T / 1000 + 0.123, interval: 10 }))
  expect(read('collectd', 'any/topic', [...lists, null, 3, { values: [1] }]).samples).toEqual([
    ['r1', 'disk-sda/disk_octets/read', T + 123, 197_141_504],
    ['r1', 'disk-sda/disk_octets/write', T + 123, 175_136_768],
    ['r1', 'thermal-thermal_zone0/temperature', T + 123, null],
    ['r1', 'memory/memory-free/0', T + 123, 7],
  ])
  for (const wrong of ['[', '[]', '[1]', '[{"host":"r1"}]'])
    expect(read('collectd', 'collectd/r1/load/load', wrong).fault).toBe('unreadable')
  const many = { ...lists[0], values: Array(4_000).fill(1) }
  expect(read('collectd', 'x', [many, many])).toMatchObject({ fault: 'tooMuch' })
})

it('Teltonika: parameters, temperatures in tenths, and Data to Server', () => {
  expect(read('teltonika', 'router/11/temperature', '512').samples).toEqual([
    ['11', 'temperature', 'now', 51.2],
  ])
  expect(read('teltonika', 'router/11/operator', 'One').samples).toEqual([['11', 'operator', 'now', 'One']])
  const segments = [{ TS: '1790000000', SN: 'pump', ADDR: '4', DT: '[10, 20]' }]
  expect(read('teltonika', 'data/11', segments).samples).toEqual([
    ['pump', '4/0', T, 10],
    ['pump', '4/1', T, 20],
  ])
})

it('a mapping: rows, a level of the topic, fixed texts, pairs, lines and prefixes', () => {
  const rows = {
    at: T,
    list: [
      { id: 'm1', v: { u: 230, i: 4 } },
      { id: 'm2', v: { u: 231 } },
    ],
  }
  expect(
    read('mapping', 'x', rows, { rowsAt: '/list', terminalAt: '/id', valuesAt: '/v', timeAt: '/at' }).samples,
  ).toEqual([
    ['m1', 'u', T, 230],
    ['m1', 'i', T, 4],
    ['m2', 'u', T, 231],
  ])
  expect(
    read('mapping', 'plant/m3', { n: 'u', x: 5 }, { terminalAt: 'topic/2', nameAt: '/n', valueAt: '/x' })
      .samples,
  ).toEqual([['m3', 'u', 'now', 5]])
  expect(
    read('mapping', 'x', { a: { b: [1, 2] } }, { terminalAt: '=One', named: 'Second = /a/b/1' }).samples,
  ).toEqual([['One', 'Second', 'now', 2]])
  expect(
    read('mapping', 'x', { r: '4', d: '[7, 8]' }, { terminalAt: '=One', nameAt: '/r', valuesAt: '/d' })
      .samples,
  ).toEqual([
    ['One', '4/0', 'now', 7],
    ['One', '4/1', 'now', 8],
  ])
})

it.each([
  ['/__proto__/polluted', undefined],
  ['/constructor/name', undefined],
  ['/a/length', undefined],
  ['/toString', undefined],
])('a mapping reaches nothing but own members: %s', (path) => {
  expect(read('mapping', 'x', { a: 'text' }, { terminalAt: '=One', named: `X = ${path}` }).fault).toBe(
    'unreadable',
  )
})

it('a member called __proto__ is a name like all others', () => {
  const said = '{"__proto__": 1, "constructor": 2}'
  expect(read('mapping', 'x', said, { terminalAt: '=One' }).samples).toEqual([
    ['One', '__proto__', 'now', 1],
    ['One', 'constructor', 'now', 2],
  ])
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

it('deep nesting, endless lists and huge texts are bounded and quick', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const many = JSON.stringify(Array.from({ length: 60_000 }, (_, n) => n))
  const huge = JSON.stringify({ a: 'x'.repeat(250_000) })
  const began = threadMs()
  for (const name of southKinds)
    for (const payload of [deep, many, huge, '{', 'null', '[]', '""']) {
      const session = adapters.find((adapter) => adapter.name === name)?.open({ terminalAt: '=One' })
      const topic = name === 'thingsboard' ? 'v1/gateway/telemetry' : 'a/b/c/d'
      expect(() => session?.read({ topic, payload: Buffer.from(payload), now })).not.toThrow()
    }
  expect(threadMs() - began).toBeLessThan(3_000)
  const read = mapping.open({ terminalAt: '=One' }).read({ topic: 'x', payload: Buffer.from(many), now })
  expect(read.samples.length).toBeLessThanOrEqual(5_000)
})
