/** What foreign sources and mappings may be brought to do: no message costs the broker much more than to parse it, and none ends it. */
import { expect, it } from 'vitest'
import { gatherDeclared } from '#infra/gather'
import type { VariableScale } from '#schema/monitor/scale'
import { isSouthAdapter, type SouthMapping, type SouthReading } from '#schema/monitor/south/adapter'
import { southTest } from '#test/south-bench'
import { type Links, variableOf } from './links.ts'
import { clean, southValue } from './raw-value.ts'

/** Of processor time, for one message: as often as a list of its size can be parsed. About 60 ms, 200 on a slow machine. */
const PARSES_MAX = 40
/** The largest packet that the broker takes, with its topic. */
const BYTES = 256 * 1024 - 200

const adapters = await gatherDeclared(isSouthAdapter)
const repeated = (part: string, between = ',') => {
  const count = Math.floor(BYTES / (part.length + between.length)) - 1
  return Array(count).fill(part).join(between)
}
const nested = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels)
const long = 'x'.repeat(BYTES - 1_000)

const texts: Readonly<Record<string, string>> = {
  '100,000 levels of lists': nested('[', ']', 100_000),
  'levels of objects': `${'{"v":'.repeat(40_000)}1${'}'.repeat(40_000)}`,
  'levels without an end': '['.repeat(BYTES),
  'a list of a hundred thousand numbers': `[${repeated('0')}]`,
  'a list of empty lists': `[${repeated('[]')}]`,
  'rows with nothing, and a list beside them': `{"rows":[${'0,'.repeat(60_000)}0],"v":[${'1,'.repeat(60_000)}1],"n":"a"}`,
  'rows with nothing, and a list of lists beside them': `{"rows":[${'0,'.repeat(50_000)}0],"v":[${'[],'.repeat(40_000)}[]],"n":"a"}`,
  'rows with nothing, and a list in a text beside them': `{"rows":[${'0,'.repeat(60_000)}0],"v":"[${'1,'.repeat(60_000)}1]","n":"a"}`,
  'rows with one long name beside them': `{"rows":[${'[1],'.repeat(20_000)}[1]],"n":"${'x'.repeat(150_000)}","v":1}`,
  'rows with one long text beside them': `{"rows":[${'[1],'.repeat(20_000)}[1]],"n":"a","v":"${'\\u0000'.repeat(25_000)}"}`,
  'a hundred thousand members': `{${repeated('"a":1')}}`,
  'members with other names': `{${Array.from({ length: 18_000 }, (_, n) => `"k${n}":${n}`).join(',')}}`,
  'one long text': `{"rows":[{"n":"a","v":"${long}"}],"v":"${long.slice(0, 10)}"}`,
  'one long name': `{"${long}":1}`,
  'names of prototypes':
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1,"hasOwnProperty":1}',
  'a member twice': '{"n":"a","v":1,"v":2}',
  'numbers without bounds':
    '{"n":"a","v":1e999,"w":-1e999,"x":123456789012345678901234567890,"y":"NaN","z":"Infinity"}',
  'no number of JSON': '{"v":NaN,"w":Infinity}',
  'times without bounds': '{"n":"a","t":1e300,"ts":-1e300,"v":1}',
}
const bytes: Readonly<Record<string, Buffer>> = {
  ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)])),
  'invalid UTF-8': Buffer.concat([
    Buffer.from('{"v":"'),
    Buffer.from([0xff, 0xfe, 0xc0, 0x80]),
    Buffer.from('"}'),
  ]),
  'half a surrogate': Buffer.from('{"n":"a","v":"\\ud800"}'),
  'bytes of all values': Buffer.from(Array.from({ length: BYTES }, (_, n) => n % 256)),
  zeros: Buffer.alloc(BYTES),
  'fields of protobuf without an end': Buffer.from(
    Array.from({ length: BYTES }, (_, n) => (n % 2 === 0 ? 0x12 : 0)),
  ),
}
const pointer = `${'/v'.repeat(16)}`
const lines = (place: string) => Array.from({ length: 60 }, (_, n) => `N${n} = ${place}`).join('\n')
const mappings: Readonly<Record<string, SouthMapping>> = {
  'the whole': { terminalAt: '=One' },
  'rows and what is beside them': { rowsAt: '/rows', terminalAt: '=One', valuesAt: '/v' },
  'rows with names beside them': { rowsAt: '/rows', terminalAt: '=One', nameAt: '/n', valueAt: '/v' },
  'names of terminals beside the rows': { rowsAt: '/rows', terminalAt: '/n', nameAt: '/n', valuesAt: '/v' },
  'sixty lines for each row': { rowsAt: '/rows', terminalAt: '=One', named: lines(pointer) },
  'sixty lines for each of the whole': { terminalAt: '=One', named: lines('/0') },
  prototypes: {
    terminalAt: '=One',
    named: 'A = /__proto__/polluted\nB = /constructor/prototype/polluted\nC = /v/__proto__',
  },
}
const scale = {
  slot: 0,
  type: 'float64',
  factor: 1,
  addend: 0,
  precision: 2,
  min: null,
  max: null,
} as VariableScale
const links: Links = {
  edition: '1',
  madeAt: 0,
  bySource: new Map([['One', { terminalId: 1, deviceId: 1, byName: new Map([['a', scale]]), derived: [] }]]),
  hidden: new Set(),
}
const topics: Readonly<Record<string, string>> = {
  thingsboard: 'v1/gateway/telemetry',
  sparkplugB: 'spBv1.0/Plant/NBIRTH/GW',
  collectd: 'collectd/One/load/load',
}

/** The part of the broker's work that the message decides. The best of three, since others work on this machine. */
function cost(work: () => void): number {
  const once = () => {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  }
  return Math.min(once(), once(), once())
}
const looked = ({ samples }: SouthReading) => {
  for (const sample of samples.slice(0, 5_000)) {
    const found = variableOf(links, sample.source, sample.name)
    if (found) southValue(found.scale, sample)
    else for (const text of [sample.source, sample.name, String(sample.value)]) clean(text, 200)
  }
}

const cases = adapters.flatMap((adapter) =>
  (adapter.name === 'mapping' ? Object.entries(mappings) : [['', {}] as const]).map(
    ([name, parts]) => [`${adapter.name} ${name}`.trim(), adapter, parts] as const,
  ),
)
for (const [named, adapter, parts] of cases)
  it(`${named}: none of ${Object.keys(bytes).length} hostile messages throws, or costs more than ${PARSES_MAX} times parsing`, () => {
    const costMax = cost(() => {
      for (let n = 0; n < PARSES_MAX; n++) JSON.parse(texts['a list of empty lists'] ?? '')
    })
    const dear: string[] = []
    for (const [name, payload] of Object.entries(bytes)) {
      const message = { topic: topics[adapter.name] ?? 'plant/One', payload, now: Date.now() }
      const ms = cost(() => looked(adapter.open(parts).read(message)))
      if (ms > costMax) dear.push(`${name}: ${Math.round(ms)} ms, parsing ${Math.round(costMax)} ms`)
    }
    expect(dear).toEqual([])
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

it('a text that is the name of something in every object is no number', () => {
  for (const text of [
    'constructor',
    '__proto__',
    'toString',
    'valueOf',
    'NaN',
    'Infinity',
    '-Infinity',
    '1e999',
    '0x10n',
  ])
    expect(southValue(scale, { source: 'One', name: 'a', at: 1, value: text }), text).toMatchObject({
      value: null,
    })
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, '123456789012345678901234567890'.repeat(10)])
    expect(southValue(scale, { source: 'One', name: 'a', at: 1, value })).toMatchObject({ value: null })
  expect(southValue(scale, { source: 'One', name: 'a', at: 1, value: 'ON' })).toMatchObject({ value: 1 })
})

it('the names of all nodes of an account together are bounded', () => {
  const varint = (value: number): number[] =>
    value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)]
  const metrics = Array.from({ length: 12_000 }, (_, n) => {
    const name = Buffer.from(`m${n}`)
    const body = [0x0a, name.length, ...name, 0x10, ...varint(n + 1), 0x20, 3, 0x50, 1]
    return Buffer.from([0x12, body.length, ...body])
  })
  const birth = Buffer.concat(metrics)
  const session = adapters.find(({ name }) => name === 'sparkplugB')?.open({})
  const say = (type: string, node: number) =>
    session?.read({
      topic: `spBv1.0/P/${type}/N${node}`,
      payload: type === 'NBIRTH' ? birth : Buffer.from([0x12, 4, 0x10, 1, 0x50, 7]),
      now: node,
    })
  for (let node = 1; node <= 40; node++) expect(say('NBIRTH', node)?.samples).toHaveLength(12_000)
  // The last ones are known by their aliases; the first has to be born again.
  expect(say('NDATA', 40)?.samples).toMatchObject([{ name: 'm0', value: 7 }])
  expect(say('NDATA', 1)).toMatchObject({ samples: [], fault: 'unknownMetric' })
})

it('the broker continues after each of them, and stores what comes next', async () => {
  const { account, linked, source, latest } = await southTest('ATTACKED-')
  const { id, username } = await account('mapping', ['plant/#'], {
    mapping: mappings['rows and what is beside them'] ?? {},
  })
  const terminalId = await linked(id, 'One', { '0': 'float64' })
  const { say } = await source(username)
  for (const payload of Object.values(bytes)) await say('plant/One', payload)
  await say('plant/One', '{"rows":[0],"v":[17.5]}')
  await expect.poll(() => latest(terminalId)).toEqual({ '0': 17.5 })
})
