import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { apiTest } from '#test/api-client'
import { TEST_PASSWORD } from '#test/tenants'

const { call, tenants, context } = await apiTest()
const home = mkdtempSync(join(tmpdir(), 'iot-admin-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const main = fileURLToPath(new URL('./main.ts', import.meta.url))
const { username } = tenants.superAdmin

/** Runs `npm run admin` on the test's database; `input` is its standard input. */
function admin(
  args: string[],
  { input = '', databaseUrl = context.databaseUrl, dataDir = home } = {},
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env['PATH'] ?? '', HOME: home, DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (part) => {
    out += part
  })
  child.stderr.on('data', (part) => {
    err += part
  })
  child.stdin.end(input)
  return new Promise((done) => child.on('close', (code) => done({ code, out, err })))
}

const logIn = (password: string) => call<{ token: string }>('userLogin', { username, password })

describe('admin reset-password', () => {
  const reset = (args: string[] = [], input = '') =>
    admin(['reset-password', '--username', username, ...args], { input })

  it('sets a new password, ends the sessions, and clears the login throttling', async () => {
    const session = (await logIn(TEST_PASSWORD)).data?.token
    for (let i = 0; i < 6; i++) await logIn('wrong-guess-1')
    const { code, out } = await reset()
    expect(code).toBe(0)
    expect((await logIn(out.trim())).code).toBe(0)
    expect((await logIn(TEST_PASSWORD)).code).toBe(101)
    expect((await call('user/getUserDetails', {}, session ?? '')).code).not.toBe(0)
    expect((await call('device/getDeviceList', {}, session ?? '')).code).toBe(20)
  })

  it('clears the throttling of a name with capitals, however it is typed, and of the e-mail address', async () => {
    const username = 'Shift_Lead'
    const { id } = tenants.a.operator
    const [user] = await context.sql<{ email: string }[]>`
      update users set username = ${username} where id = ${id} returning email`
    const byEmail = { email: user?.email.toUpperCase() ?? '' }
    const tries = (password: string) =>
      Promise.all([
        call('userLogin', { username, password }),
        call('emailLogin', { ...byEmail, password }),
      ]).then((answers) => answers.map(({ code }) => code))
    for (let i = 0; i < 6; i++) await tries('wrong-guess-1')
    expect(await tries(TEST_PASSWORD)).not.toContain(0)
    const { out } = await admin(['reset-password', '--username', 'shift_LEAD'])
    expect(await tries(out.trim())).toEqual([0, 0])
    const rows =
      await context.sql`select username from operations where user_id = ${id} and call = 'admin/reset-password'`
    expect(rows).toEqual([{ username }])
  })

  it('reads a password from standard input, and refuses a weak one and an unknown user', async () => {
    expect((await reset(['--password-stdin'], 'weak\n')).code).toBe(2)
    expect((await reset(['--password-stdin'], 'good-pass-1\n')).code).toBe(0)
    expect((await logIn('good-pass-1')).code).toBe(0)
    expect((await reset(['--username', 'nobody'])).code).toBe(3)
  })

  it('is in the operation log', async () => {
    const rows =
      await context.sql`select 1 from operations where call = 'admin/reset-password' and username = ${username}`
    expect(rows.length).toBe(2)
  })
})

describe('admin', () => {
  it('says that the database cannot be reached', async () => {
    const { code, err } = await admin(['reset-second-factor', '--username', username], {
      databaseUrl: 'postgres://x@127.0.0.1:9/x',
    })
    expect({ code, err }).toEqual({
      code: 3,
      err: 'the database cannot be reached: is the platform running?\n',
    })
  })

  it('says in one line that the database is another one', async () => {
    const databaseUrl = Object.assign(new URL(context.databaseUrl), { pathname: '/postgres' }).href
    const { code, err } = await admin(['reset-second-factor', '--username', username], { databaseUrl })
    expect(code).toBe(3)
    expect(err).toMatch(/^the database does not do this: .*does not exist\n$/)
  })

  it('makes nothing in a DATA_DIR that was mistyped, and names it', async () => {
    const dataDir = join(home, 'mistyped-data')
    const { code, err } = await admin(['reset-password'], { databaseUrl: '', dataDir })
    expect(code).toBe(2)
    expect(err).toContain(`no \`npm start\` has made a database in DATA_DIR (${dataDir})`)
    expect(existsSync(dataDir)).toBe(false)
    expect(await admin(['move-files'], { dataDir })).toMatchObject({
      code: 2,
      err: `there is no folder ${join(dataDir, 'files')}\n`,
    })
    expect(readdirSync(home)).toEqual([])
  })

  it('creates no folder whose name was mistyped, to move files from it', async () => {
    const from = join(home, 'mistyped')
    const { code, err } = await admin(['move-files', '--from', from])
    expect({ code, err }).toEqual({ code: 2, err: `there is no folder ${from}\n` })
    expect(existsSync(from)).toBe(false)
  })

  it('refuses an unknown command and a missing option', async () => {
    expect((await admin(['reset-everything'])).code).toBe(2)
    expect((await admin(['reset-second-factor'])).code).toBe(2)
  })
})
