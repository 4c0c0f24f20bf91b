/** Sparkplug B as an application host; payloads are encoded by hand. */
import { describe, expect, it } from 'vitest'
import { sparkplugB } from './sparkplug-b.ts'
import { readSparkplug } from './sparkplug-payload.ts'

const T = 1_790_000_000_000
const varint = (value: bigint | number): number[] => {
  const out: number[] = []
  for (let rest = BigInt(value); ; rest >>= 7n) {
    if (rest < 128n) return [...out, Number(rest)]
    out.push(Number(rest & 127n) | 128)
  }
}
const bytes = (field: number, inner: readonly number[]) => [
  ...varint((field << 3) | 2),
  ...varint(inner.length),
  ...inner,
]
const text = (field: number, value: string) => bytes(field, [...Buffer.from(value)])
const uint = (field: number, value: bigint | number) => [...varint(field << 3), ...varint(value)]
type Said = { name?: string; alias?: number; type?: number; int?: number | bigint; more?: number[] }
const metric = ({ name, alias, type, int, more = [] }: Said) =>
  bytes(2, [
    ...(name === undefined ? [] : text(1, name)),
    ...(alias === undefined ? [] : uint(2, alias)),
    ...(type === undefined ? [] : uint(4, type)),
    ...(int === undefined ? [] : uint(10, int)),
    ...more,
  ])
const payload = (seq: number | null, ...metrics: Said[]) =>
  Uint8Array.from([...uint(1, T), ...metrics.flatMap(metric), ...(seq === null ? [] : uint(3, seq))])

function node() {
  const session = sparkplugB.open({})
  return (type: string, said: Uint8Array, { device = '', now = T } = {}) =>
    session.read({ topic: `spBv1.0/G/${type}/N${device && `/${device}`}`, payload: said, now })
}
const born = () => {
  const say = node()
  say('NBIRTH', payload(0, { name: 'bdSeq', type: 8, int: 3 }))
  say('DBIRTH', payload(1, { name: 'Temp', alias: 7, type: 2, int: 20 }), { device: 'D' })
  return say
}
const values = ({ samples }: ReturnType<ReturnType<typeof node>>) =>
  samples.map(({ source, name, value }) => [source, name, value])

describe('data', () => {
  it('is named and typed by the birth, sign-extended or cut', () => {
    const say = born()
    expect(values(say('DDATA', payload(2, { alias: 7, int: 0xff29 }), { device: 'D' }))).toEqual([
      ['G/N/D', 'Temp', -215],
    ])
    expect(values(say('DDATA', payload(3, { alias: 7, int: 0xffffff29 }), { device: 'D' }))).toEqual([
      ['G/N/D', 'Temp', -215],
    ])
  })

  it('after a gap, or with an undeclared alias, asks for a birth, at most once a minute', () => {
    const say = born()
    const asked = (seq: number, alias: number, now: number) =>
      say('DDATA', payload(seq, { alias, int: 1 }), { device: 'D', now }).answers?.length ?? 0
    expect(asked(2, 7, T)).toBe(0)
    const first = say('DDATA', payload(9, { alias: 7, int: 1 }), { device: 'D', now: T })
    expect(first.answers?.[0]?.topic).toBe('spBv1.0/G/NCMD/N')
    expect(readSparkplug(first.answers?.[0]?.payload ?? new Uint8Array())?.metrics).toMatchObject([
      { name: 'Node Control/Rebirth', type: 11, at: T, value: { number: 14, value: 1n } },
    ])
    let storm = 0
    for (let n = 0; n < 1_000; n++) storm += asked(100, 99, T + n)
    expect(storm, 'a storm').toBe(0)
    expect(asked(50, 99, T + 61_000)).toBe(1)
  })

  it('by name, of a node whose birth was not heard: a number that may be negative is none, and a birth is asked for', () => {
    const say = node()
    const cut = say('NDATA', payload(5, { name: 'Temp', int: 0xfffffffb }, { name: 'Level', int: 12 }))
    expect(values(cut)).toEqual([['G/N', 'Level', 12]])
    expect(cut).toMatchObject({ fault: 'unknownMetric', answers: [{ topic: 'spBv1.0/G/NCMD/N' }] })
    say('NBIRTH', payload(0, { name: 'Temp', type: 3, int: 1 }))
    expect(values(say('NDATA', payload(1, { name: 'Temp', int: 0xfffffffb })))).toEqual([['G/N', 'Temp', -5]])
  })

  it('counts to 255 and begins again', () => {
    const say = born()
    for (let seq = 2; seq < 600; seq++) expect(say('NDATA', payload(seq % 256)).answers ?? []).toEqual([])
  })
})

describe('births', () => {
  it('say what is so when they are sent, however long ago it changed; history keeps its time', () => {
    const old = uint(3, T - 3_600_000)
    const said = payload(
      0,
      { name: 'Level', type: 3, int: 4, more: old },
      { name: 'Past', type: 3, int: 5, more: [...old, ...uint(5, 1)] },
    )
    const times = (reading: ReturnType<ReturnType<typeof node>>) =>
      reading.samples.map(({ name, at }) => [name, at])
    const say = node()
    expect(times(say('NBIRTH', said))).toEqual([
      ['Level', T],
      ['Past', T - 3_600_000],
    ])
    expect(times(say('NDATA', payload(1, { name: 'Level', int: 6, more: old })))).toEqual([
      ['Level', T - 3_600_000],
    ])
  })
})

describe('deaths', () => {
  it('of a device, and of the node with the number of its birth only', () => {
    const say = born()
    expect(say('DDEATH', payload(2), { device: 'D' }).ended).toEqual([{ source: 'G/N/D', at: T }])
    expect(say('NDEATH', payload(null, { name: 'bdSeq', int: 2 })).ended).toEqual([])
    expect(say('NDEATH', payload(null, { name: 'bdSeq', int: 3 })).ended).toEqual([{ source: 'G/N', at: T }])
  })
})

describe('bombs', () => {
  const huge = [...varint(2n ** 63n)]
  it.each([
    ['a length past the end', [0x12, ...huge]],
    ['a varint without end', Array(64).fill(0xff)],
    ['a group', [0x13]],
    ['field 0', [0x02, 0x00]],
    ['a cut fixed64', [0x09, 1, 2]],
    ['a metric that lies', [0x12, 4, 0x0a, 0x7f, 65, 66]],
    ['millions of fields', Array(60_000).fill([0x18, 0]).flat()],
  ])('%s: unreadable, and nothing is kept', (_, said) => {
    expect(node()('NBIRTH', Uint8Array.from(said as number[]))).toEqual({ samples: [], fault: 'unreadable' })
  })

  it('nested templates and data sets are skipped unread, however deep', () => {
    let inner: number[] = []
    for (let n = 0; n < 1_000; n++) inner = bytes(18, bytes(2, inner))
    const said = payload(0, { name: 'T', type: 19, more: inner }, { name: 'A', type: 3, int: 5 })
    expect(values(node()('NBIRTH', said))).toEqual([['G/N', 'A', 5]])
  })

  it('births of ever new nodes and metrics do not fill the memory', () => {
    const session = sparkplugB.open({})
    for (let n = 0; n < 3_000; n++)
      session.read({
        topic: `spBv1.0/G/NBIRTH/N${n}`,
        payload: payload(0, { name: 'A', alias: 1, type: 3, int: 1 }),
        now: T + n,
      })
    const old = session.read({
      topic: 'spBv1.0/G/NDATA/N0',
      payload: payload(1, { alias: 1, int: 1 }),
      now: T + 5_000,
    })
    expect(old.fault, 'the oldest are forgotten').toBe('unknownMetric')
  })
})

it('a birth of a node with as many metrics as are kept renews what they mean', () => {
  const say = node()
  const many = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({ name: `m${from + n}`, alias: from + n, type: 10, int: 1 }))
  say('NBIRTH', payload(0, ...many(0, 15_000)))
  say(
    'DBIRTH',
    payload(
      1,
      ...many(15_000, 4_998),
      { name: 'Temp', alias: 30_000, type: 2 },
      { name: 'Flow', alias: 30_001, type: 2 },
    ),
    {
      device: 'D',
    },
  )
  // The device has started again, and numbers the same metrics in another order.
  say(
    'DBIRTH',
    payload(2, { name: 'Flow', alias: 30_000, type: 2 }, { name: 'Temp', alias: 30_001, type: 2 }),
    {
      device: 'D',
    },
  )
  expect(values(say('DDATA', payload(3, { alias: 30_000, int: 5 }), { device: 'D' }))).toEqual([
    ['G/N/D', 'Flow', 5],
  ])
})
