import { expect, it } from 'vitest'
import { apiTest } from '#test/api-client'

const { call, tenants } = await apiTest()
const { a } = tenants

type Tried = {
  samples: { name: string; at: string; value: unknown; quality: string }[]
  fault: string | null
}
const tried = async (ts: unknown, value = '7') => {
  const { code, data } = await call<Tried>(
    'south/tryMessage',
    {
      kind: 'mapping',
      topic: 'plant/m1',
      payload: `{"ts":${JSON.stringify(ts)},"v":{"flow":${value}}}`,
      terminalAt: '=Meter',
      timeAt: '/ts',
      valuesAt: '/v',
    },
    a.admin,
  )
  const [sample] = data?.samples ?? []
  return { code, fault: data?.fault, value: sample?.value, quality: sample?.quality, at: sample?.at ?? '' }
}
const isAboutNow = (at: string) => Math.abs(Date.parse(at) - Date.now()) < 60_000

it('a message that is tried has the times under which an account would store it', async () => {
  const recent = new Date(Date.now() - 3_600_000).toISOString()
  expect(await tried(recent)).toEqual({ code: 0, fault: null, value: 7, quality: 'good', at: recent })
})

it.each([
  ['in the future', 4_102_444_800],
  ['in microseconds', 1_795_226_400_000_000],
  ['beyond all dates', 1e30],
  ['without a zone', '2026-11-28T10:00:00'],
])('a time %s is uncertain, and that of the arrival', async (_, ts) => {
  const { at, ...rest } = await tried(ts)
  expect(rest).toEqual({ code: 0, fault: null, value: 7, quality: 'uncertainTime' })
  expect(isAboutNow(at)).toBe(true)
})

it('a number that no variable can hold is bad data', async () => {
  expect(await tried(null, '1e400')).toMatchObject({ code: 0, value: null, quality: 'badData' })
})

it('a time that is too old to be stored is named as such, with the values', async () => {
  expect(await tried('2020-01-01T00:00:00Z')).toMatchObject({
    code: 0,
    fault: 'tooOld',
    value: 7,
    at: '2020-01-01T00:00:00.000Z',
  })
})
