import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { testContext } from '#test/harness'
import type { Log } from './log.ts'
import { explain, warnOfClock, warnOfFewFiles } from './run-room.ts'
import { settings } from './settings.ts'

/** What a server says that was to listen there. */
const refusalOf = (port: number, host: string) =>
  new Promise<Error>((done) => createServer().once('error', done).listen(port, host))

it.each(['192.0.2.1', 'no-such-host.invalid'])(
  'a start names the setting with an address of another machine: %s',
  async (host) => {
    const env = { ...settings.parse({}), HTTP_HOST: host }
    const line = explain(await refusalOf(0, host), env as never)
    expect(line).toBe(
      `HTTP_HOST: ${host} is not an address of this machine: set one that is, or 0.0.0.0 for all`,
    )
  },
)

it.each([
  ['ENOSPC', 'DATA_DIR'],
  ['53100', 'the database'],
])('a start on a full disk says so in one line, without a stack: %s', (code, whose) => {
  const line = explain(Object.assign(new Error('no space left'), { code }))
  expect(line).toBe(`the disk of ${whose} is full (no space left): free some space`)
})

it.each(['NOAUTH Authentication required.', 'WRONGPASS invalid username-password pair or user is disabled.'])(
  'a start that Redis refuses names the setting, without a stack: %s',
  (says) => {
    const refusal = Object.assign(new Error(says), { name: 'ReplyError' })
    expect(explain(refusal)).toBe(`REDIS_URL: Redis refuses its password (${says}): correct it`)
  },
)

it('a clock that differs from that of PostgreSQL is told, and one that does not is not', async () => {
  const { sql } = await testContext()
  const lines: string[] = []
  const log = { warn: (_: object, text: string) => lines.push(text) } as unknown as Log
  const look = (offMs: number) => warnOfClock({ sql, log }, () => Date.now() + offMs)
  await look(0)
  await look(3_000)
  expect(lines).toEqual([])
  await look(7_200_000)
  await look(-7_200_000)
  expect(lines).toEqual([
    expect.stringMatching(/^the clock here is 7[12]\d\d s ahead of that of PostgreSQL$/),
    expect.stringMatching(/^the clock here is 7[12]\d\d s behind that of PostgreSQL$/),
  ])
})

it.each([
  [4_096, 1],
  [10_000, 0],
  ['unlimited', 0],
])('a limit of %s open files is told %i times', (most, times) => {
  const warned: object[] = []
  const log = { warn: (about: object) => warned.push(about) } as unknown as Log
  warnOfFewFiles(
    { log },
    `Max processes             95986                95986                processes
Max open files            ${most}                 ${most}                 files
`,
  )
  expect(warned).toEqual(Array(times).fill({ openFiles: most }))
  warnOfFewFiles({ log }, '')
  expect(warned.length).toBe(times)
})
