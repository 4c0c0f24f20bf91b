import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Command } from 'commander'
import { pack } from 'tar-stream'
import { afterAll, describe, expect, it } from 'vitest'
import { wordsIn } from '#infra/gather'
import { deviceListPermission } from '#schema/device/device-pages'
import { packageListPermission } from '#schema/task/package'
import { apiTest } from '#test/api-client'
import { byForce } from '#test/move-check'
import { opsAgainst } from '#test/ops-run'
import { addPackage, TEST_PASSWORD } from '#test/tenants'
import { isCliCommand } from './cli-command.ts'

const { app, call, tenants, context } = await apiTest()
const { a, b } = tenants
const { sql } = context
await app.listen({ host: '127.0.0.1', port: 0 })
const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
const home = mkdtempSync(join(tmpdir(), 'iot-ops-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const ops = opsAgainst(url, home)

const made = await call<{ token: string }>('token/createApiToken', { name: 'ops' }, a.admin)
const token = made.data?.token ?? ''
const asAdmin = { IOT_TOKEN: token }
const sessionFile = join(home, '.config', 'iot-cloud', 'session.json')

const file = (name: string, content: string | Buffer) => {
  writeFileSync(join(home, name), content)
  return join(home, name)
}

/** Ends every item of a task as a worker would. */
async function finish(taskId: number, outcome: 'done' | 'failed'): Promise<void> {
  await byForce(
    sql,
    (
      tx,
    ) => tx`update task_items set outcome = ${outcome}, step = ${outcome === 'done' ? 'done' : 'downloading'},
      failure = ${outcome === 'failed' ? 'md5Failed' : null} where task_id = ${taskId} and not superseded`,
  )
  await sql`update tasks set status = 'completed', completed_at = now() where id = ${taskId}`
}

/** The newest task, once it exists. */
async function newTask(after: number): Promise<number> {
  return expect
    .poll(async () => (await sql<{ id: number }[]>`select max(id) as id from tasks`)[0]?.id ?? 0, {
      timeout: 60_000,
    })
    .toBeGreaterThan(after)
    .then(async () => (await sql<{ id: number }[]>`select max(id) as id from tasks`)[0]?.id ?? 0)
}
const lastTask = async () => (await sql<{ id: number | null }[]>`select max(id) as id from tasks`)[0]?.id ?? 0

describe('ops --help', () => {
  it('lists the exit codes', async () => {
    const { code, out } = await ops(['--help'])
    expect(code).toBe(0)
    for (const line of [
      '0  done',
      '1  finished',
      '2  wrong usage',
      '3  refused',
      '4  timed out',
      'IOT_URL    the platform; default: that of the stored login, else http',
      'IOT_TOKEN',
    ])
      expect(out).toContain(line)
  })

  it('lists every command, each in the file of its name, where it is looked for', async () => {
    const folder = new URL('./commands/', import.meta.url)
    const { out } = await ops(['--help'])
    for (const word of wordsIn(folder)) {
      const program = new Command()
      for (const { register } of Object.values(await import(new URL(`${word}.ts`, folder).href)).filter(
        isCliCommand,
      ))
        register(program)
      expect(program.commands.map((command) => command.name())).toEqual([word])
      expect(out).toMatch(new RegExp(`^  ${word} `, 'm'))
    }
    const one = await ops(['help', 'uci'])
    expect(one).toMatchObject({ code: 0, out: expect.stringContaining('ops uci') })
    expect(await ops(['--help', 'devices'])).toEqual({ code: 0, out, err: '' })
  })

  it('takes the first word as the command, not a later one that is the name of another', async () => {
    const { code, err } = await ops(['task', 'devices'])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('Did you mean tasks?') })
    expect(await ops(['-o', 'json', 'help', 'tasks'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('ops tasks'),
    })
  })

  it.each([
    ['an unknown command', ['fly']],
    ['an unknown option', ['devices', 'list', '--colour']],
    ['a missing argument', ['devices', 'import']],
    ['a number that is none', ['upgrade', 'create', '--package', 'x', '--all']],
    ['no devices', ['upgrade', 'create', '--package', '1']],
    ['devices named twice', ['upgrade', 'create', '--package', '1', '--all', '--group', '1']],
    ['an unknown call', ['call', 'device/explode']],
    ['a body that is no JSON', ['call', 'device/getDeviceList', '--body', '{']],
    ['a file that is not there', ['devices', 'import', '/nowhere.csv']],
    ['a bad URL', ['devices', 'list'], { IOT_URL: 'cloud' }],
  ] as [string, string[], Record<string, string>?][])('ends with 2 for %s', async (_what, args, env) => {
    const { code, err } = await ops(args, { ...asAdmin, ...env })
    expect({ code, said: err.length > 0 }).toEqual({ code: 2, said: true })
  })
})

describe('ops login', () => {
  it('keeps the session for its owner only, and logout ends it', async () => {
    const login = ['login', '--username', a.admin.username, '--password-stdin']
    expect((await ops(login, {}, `${TEST_PASSWORD}\n`)).code).toBe(0)
    expect(statSync(sessionFile).mode & 0o777).toBe(0o600)
    expect((await ops(['devices', 'list'])).out).toContain(a.devices[0]?.sn)
    const { token: kept } = JSON.parse(readFileSync(sessionFile, 'utf8'))
    expect((await ops(['logout'])).code).toBe(0)
    expect(existsSync(sessionFile)).toBe(false)
    expect((await call('device/getDeviceList', {}, kept as string)).code).toBe(20)
  })

  it('never sends a kept session to another platform', async () => {
    await ops(['login', '--username', a.admin.username, '--password-stdin'], {}, TEST_PASSWORD)
    const { code, err } = await ops(['devices', 'list'], { IOT_URL: url.replace('127.0.0.1', 'localhost') })
    expect(code).toBe(3)
    expect(err).toContain('ops login')
    await ops(['logout'])
  })

  it('is refused with a wrong password, in the language of LANG', async () => {
    const args = ['login', '--username', a.viewer.username, '--password-stdin']
    const { code, err } = await ops(args, { LANG: 'zh_CN.UTF-8' }, 'wrong-one-7')
    expect({ code, err: err.trim() }).toEqual({ code: 3, err: '用户名或密码错误 [code 101]' })
  })
})

describe('ops devices', () => {
  it('lists as a table or as JSON', async () => {
    const table = await ops(['devices', 'list', '--group', 'Branch', '--limit', '1'], asAdmin)
    expect(table.out.split('\n')[0]).toMatch(/^deviceId +deviceSn +deviceName/)
    expect(table.err.trim()).toBe('1 of 2')
    const json = await ops(['devices', 'list', '-o', 'json'], asAdmin)
    expect(JSON.parse(json.out)).toMatchObject({ total: 4 })
  })

  it('prints device names without their control characters', async () => {
    await sql`update devices set name = ${'\u001b[2Jgone\u009b'} where id = ${a.devices[0]?.id ?? 0}`
    for (const asked of [
      ['devices', 'list', '-o', 'table'],
      ['devices', 'list', '-o', 'json'],
      ['call', 'device/getDeviceList'],
    ]) {
      const { out } = await ops(asked, asAdmin)
      expect(out).toContain('gone')
      expect([...out].filter((char) => char !== '\n' && /\p{Cc}/u.test(char))).toEqual([])
    }
  })

  it('imports: a dry run changes nothing, refused lines end with 1, a refused file with 3', async () => {
    const csv = file('devices.csv', 'sn,group\nOPS-1,Branch\nOPS-2,Nowhere\n')
    const dry = await ops(['devices', 'import', csv, '--dry-run'], asAdmin)
    expect(dry).toMatchObject({ code: 1, err: 'would create 1, skipped 0, refused 1\n' })
    expect(await sql`select 1 from devices where sn = 'OPS-1'`).toHaveLength(0)
    const real = await ops(
      ['devices', 'import', '-', '--group', 'Branch', '-o', 'json'],
      asAdmin,
      'sn\nOPS-1\n',
    )
    expect(real.code).toBe(0)
    expect(JSON.parse(real.out).rows[0].secret).toHaveLength(43)
    expect((await ops(['devices', 'import', file('bad.csv', 'serial\nx\n')], asAdmin)).code).toBe(3)
  })
})

describe('ops packages', () => {
  it('uploads, lists, and says why an upload is refused', async () => {
    const tar = pack()
    tar.entry({ name: 'app' }, 'x')
    tar.finalize()
    const chunks: Buffer[] = []
    for await (const chunk of tar) chunks.push(chunk as Buffer)
    const good = file('fw.tar.gz', gzipSync(Buffer.concat(chunks)))
    const args = [
      'packages',
      'upload',
      '--no-wait',
      good,
      '--model',
      'R200',
      '--version',
      '5.0',
      '--type',
      'upgrade',
    ]
    expect(await ops(args, asAdmin)).toMatchObject({ code: 0, out: expect.stringContaining('5.0') })
    expect(await ops(args, asAdmin)).toMatchObject({
      code: 3,
      err: expect.stringContaining('already exists'),
    })
    const bad = file('bad.tar.gz', Buffer.alloc(8_000_000, 'no tar'))
    const refused = await ops(['packages', 'upload', bad, '--model', 'R200', '--version', '5.1'], asAdmin)
    expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('.tar.gz') })
    expect((await ops(['packages', 'list', '--model', 'R200'], asAdmin)).out).toContain('5.0')
  })
})

// Each run is a process of its own: up to five of them on a busy machine take longer than a test usually may.
describe('ops upgrade create and tasks', { timeout: 90_000 }, async () => {
  const fw = await addPackage(context, { customerId: a.customerId, model: 'R200', version: '9.0.0' })
  const create = (...args: string[]) =>
    ops(['upgrade', 'create', '--package', String(fw.id), ...args], asAdmin)
  const sns = a.devices.map((device) => device.sn)

  it.each([
    ['done', 0],
    ['failed', 1],
  ] as const)('--wait ends with the task: %s is %i', async (outcome, code) => {
    const before = await lastTask()
    const running = create('--devices', `${sns[0]},${sns[1]}`, '--wait', '--name', `to be ${outcome}`)
    await finish(await newTask(before), outcome)
    const ended = await running
    expect({ code: ended.code, err: ended.err }).toMatchObject({ code })
    expect(ended.out).toContain(`${outcome} 2`)
    if (outcome === 'done') return expect(ended.err).toContain('all 2 devices are done')
    expect(ended.out).toContain('md5Failed')
    expect(ended.err).toContain('2 of 2 devices were not upgraded')
    for (const sn of sns.slice(0, 2)) expect(ended.err).toContain(`${sn}: md5Failed\n`)
    const id = await lastTask()
    await sql`delete from task_items where task_id = ${id} and device_id = ${a.devices[1]?.id ?? 0}`
    await sql`update tasks set kind = 'config' where id = ${id}`
    await sql`update task_items set failure_detail = 'reverted: no welcome' where task_id = ${id}`
    const { err } = await ops(['tasks', 'watch', String(id)], asAdmin)
    expect(err).toContain('1 of 1 device was not changed')
    expect(err).toContain(`${sns[0]}: md5Failed: reverted: no welcome\n`)
  })

  it('--timeout gives up watching with 4; the task continues', async () => {
    const { code } = await create('--group', 'Branch', '--wait', '--timeout', '1')
    expect(code).toBe(4)
    const [row] = await sql`select status from tasks where id = ${await lastTask()}`
    expect(row).toEqual({ status: 'ongoing' })
  })

  it('creates a rollout from a file, and reports errors in it', async () => {
    const path = join(home, 'rollout.yaml')
    const run = (text: string) => {
      writeFileSync(path, text)
      return ops(['rollout', 'create', '-f', path], asAdmin)
    }
    const body = `package: ${fw.id}\nname: From a file\ndevices: [${sns.join(', ')}]\n`
    const made = await run(
      `${body}waves: [25%, 1]\nsoakMinutes: 10\nwindow: { from: "22:00", to: "05:00" }\napproval: true\n`,
    )
    expect(made).toMatchObject({ code: 0, err: expect.stringContaining(`${sns.length} devices`) })
    const [task] = await sql`
      select last_wave as last, soak_minutes as soak, approval from tasks where id = ${await lastTask()}`
    expect(task).toEqual({ last: 2, soak: 10, approval: 'waiting' })
    expect(await run('package: [')).toMatchObject({ code: 2 })
    expect(await run(`${body}waves: [many]`)).toMatchObject({ code: 2 })
    // A typing error does not make all devices the first wave.
    expect(await run(`${body}waves: [120%]`)).toMatchObject({ code: 3, err: expect.stringContaining('100') })
    expect(await run('name: Nothing\nall: true')).toMatchObject({ code: 2 })
    expect(await run(`${body}soakMinutes: -1`)).toMatchObject({ code: 3 })
    expect(await ops(['rollout', 'create', '-f', `${path}.missing`], asAdmin)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${path}.missing cannot be read (ENOENT)`),
    })
  })

  const limits = async () => {
    const [row] = await sql`
      select max_failures as count, max_failure_percent as percent, max_in_flight as "atOnce" from tasks
      where id = ${await lastTask()}`
    return row
  }

  it('sets failure limits like the console, other ones, or explicitly none', async () => {
    const devices = ['--devices', sns[0] ?? '']
    await create(...devices)
    expect(await limits()).toEqual({ count: null, percent: 10, atOnce: 500 })
    await create(...devices, '--max-failures', '3', '--max-in-flight', '20')
    expect(await limits()).toEqual({ count: 3, percent: null, atOnce: 20 })
    await create(...devices, '--no-guard')
    expect(await limits()).toEqual({ count: null, percent: null, atOnce: 500 })
    expect((await create(...devices, '--no-guard', '--max-failures', '3')).code).toBe(2)
    expect((await create(...devices, '--max-failure-percent', '101')).code).toBe(3)
  })

  it('--wait ends with 1 as soon as the task has paused itself, and says how to continue', async () => {
    const before = await lastTask()
    const running = create('--devices', `${sns[0]},${sns[1]}`, '--wait', '--timeout', '60')
    const id = await newTask(before)
    await sql`
      update tasks set paused_at = now(), pause_reason = 'failures', paused_failed = 5, paused_tried = 12 where id = ${id}`
    const ended = await running
    expect(ended.code).toBe(1)
    expect(ended.err).toContain('5 of 12 devices tried had failed')
    expect(ended.err).toContain(`ops tasks resume ${id}`)
    expect(ended.out).toContain('ongoing, paused')
    // Resuming passes a wave that fell short, so a retry comes before it.
    await sql`update tasks set pause_reason = 'wave' where id = ${id}`
    expect((await ops(['tasks', 'watch', String(id)], asAdmin)).err).toContain(
      `\`ops tasks retry ${id}\` and then \`ops tasks resume ${id}\``,
    )
    await sql`update tasks set pause_reason = 'failures' where id = ${id}`
    expect((await ops(['tasks', 'list', '--status', 'ongoing'], asAdmin)).out).toContain('failures')
    // It passes one in which too many devices failed, too.
    await sql`insert into task_waves (task_id, nth, by) values (${id}, 0, 'count'), (${id}, 1, 'rest')`
    expect((await ops(['tasks', 'watch', String(id)], asAdmin)).err).toContain(
      `\`ops tasks retry ${id}\` and then \`ops tasks resume ${id}\``,
    )
    await sql`delete from task_waves where task_id = ${id}`
  })

  it('pauses and resumes; a task paused by a user is still watched, with a message', async () => {
    const id = String(await lastTask())
    expect(await ops(['tasks', 'resume', id, '-o', 'json'], asAdmin)).toMatchObject({ code: 0 })
    expect((await ops(['tasks', 'resume', id], asAdmin)).code).toBe(3)
    expect((await ops(['tasks', 'pause', id], asAdmin)).code).toBe(0)
    const watched = await ops(['tasks', 'watch', id, '--timeout', '1'], asAdmin)
    expect(watched).toMatchObject({
      code: 4,
      err: expect.stringContaining(`is paused by ${a.admin.username}`),
    })
    expect((await ops(['tasks', 'resume', id], asAdmin)).code).toBe(0)
  })

  it('lists, cancels, retries and watches', async () => {
    const id = String(await lastTask())
    expect((await ops(['tasks', 'list', '--status', 'ongoing'], asAdmin)).out).toContain('9.0.0')
    expect(await ops(['tasks', 'cancel', id, '-o', 'json'], asAdmin)).toMatchObject({ code: 0 })
    await sql`update tasks set status = 'completed' where id = ${Number(id)}`
    expect((await ops(['tasks', 'watch', id], asAdmin)).code).toBe(1)
    const [failed] = await sql<
      { id: number }[]
    >`select task_id as id from task_items where failure = 'md5Failed' limit 1`
    const retried = await ops(
      ['tasks', 'retry', String(failed?.id), '--reason', 'md5Failed', '-o', 'json'],
      asAdmin,
    )
    // One of the two was taken out of the task above.
    expect(JSON.parse(retried.out)).toMatchObject({ retried: 1 })
  })

  it('approves and refuses as a second person, skips a wave', async () => {
    const path = join(home, 'approved.yaml')
    const waiting = async () => {
      writeFileSync(
        path,
        `package: ${fw.id}\nname: Two\ndevices: [${sns.join(', ')}]\nwaves: [1]\napproval: true\n`,
      )
      await ops(['rollout', 'create', '-f', path], asAdmin)
      return String(await lastTask())
    }
    const [approved, refused] = [await waiting(), await waiting()]
    expect((await ops(['tasks', 'approve', approved], asAdmin)).code).toBe(3)
    // Their creator is gone.
    await sql`update tasks set created_by = null where id in (${approved}, ${refused})`
    expect((await ops(['tasks', 'skip-wave', approved], asAdmin)).code).toBe(3)
    expect((await ops(['tasks', 'approve', approved], asAdmin)).code).toBe(0)
    await sql`update tasks set started_at = now() where id = ${approved}`
    expect(await ops(['tasks', 'skip-wave', approved, '-o', 'json'], asAdmin)).toMatchObject({
      code: 0,
      out: expect.stringContaining('"wave": 2'),
    })
    expect((await ops(['tasks', 'refuse', refused, '--note', 'not today'], asAdmin)).code).toBe(0)
    const [row] = await sql`select approval, approval_note as note from tasks where id = ${refused}`
    expect(row).toEqual({ approval: 'refused', note: 'not today' })
    expect(await sql`select approval, wave from tasks where id = ${approved}`).toEqual([
      { approval: 'approved', wave: 1 },
    ])
    await ops(['tasks', 'cancel', approved], asAdmin)
  })

  it('rolls back, and says who stays as they are', async () => {
    await create('--devices', `${sns[0]},${sns[1]}`)
    const id = String(await lastTask())
    expect((await ops(['tasks', 'rollback', id], asAdmin)).code).toBe(3)
    await sql`update task_items set offers = 1, from_version = case when device_id = ${a.devices[0]?.id ?? 0} then '8.0.0' else '7.0.0' end
      where task_id = ${id}`
    await sql`update devices set firmware = '9.0.0' where id in (${a.devices[0]?.id ?? 0}, ${a.devices[1]?.id ?? 0})`
    await addPackage(context, { customerId: a.customerId, model: 'R200', version: '8.0.0' })
    const back = await ops(['tasks', 'rollback', id], asAdmin)
    expect(back).toMatchObject({ code: 1, out: expect.stringContaining('8.0.0') })
    expect(back.err).toContain(`task ${id} is paused`)
    expect(back.err).toContain('1 devices had 7.0.0')
    const [made] = await sql`select version, name from tasks where id = ${await lastTask()}`
    expect(made).toEqual({ version: '8.0.0', name: `Roll back task ${id}` })
  })

  it('refuses missing devices, and those of others, with 3', async () => {
    expect(await create('--devices', `${sns[0]},NO-SUCH`)).toMatchObject({
      code: 3,
      err: 'no such device: NO-SUCH\n',
    })
    expect((await create('--devices', b.devices[0]?.sn ?? '')).code).toBe(3)
    expect((await ops(['tasks', 'watch', '999999'], asAdmin)).code).toBe(3)
  })

  it.each(['NUMBER-77', 'Z7'])(
    'finds %s, although a thousand others have it in their numbers',
    async (sn) => {
      await sql`insert into devices (customer_id, group_id, sn, name)
      select ${a.customerId}, ${a.groups.root}, x, x from (
        select ${sn} as x union all select 'A-' || ${sn} || '-' || n from generate_series(1, 1100) n) as of`
      const found = await ops(['devices', 'reboot', '--devices', sn, '--dry-run'], asAdmin)
      await sql`delete from devices where sn like ${`%${sn}%`}`
      expect(found).toMatchObject({ code: 0, out: expect.stringMatching(/matching +1\n/) })
    },
  )
})

describe('ops tokens and ops call', () => {
  it('creates a token with a scope by name, lists and revokes it', async () => {
    const { out } = await ops(
      ['tokens', 'create', '--name', 'narrow', '--functions', 'deviceList,7600', '-o', 'json'],
      asAdmin,
    )
    const narrow = JSON.parse(out) as { id: number; token: string }
    const [row] = await sql`select function_ids as ids from api_tokens where id = ${narrow.id}`
    expect(row).toEqual({ ids: [deviceListPermission.id, packageListPermission.id] })
    expect(
      (await ops(['upgrade', 'create', '--package', '1', '--all'], { IOT_TOKEN: narrow.token })).code,
    ).toBe(3)
    expect((await ops(['tokens', 'list'], asAdmin)).out).toContain('narrow')
    expect((await ops(['tokens', 'revoke', String(narrow.id)], asAdmin)).code).toBe(0)
    expect((await ops(['devices', 'list'], { IOT_TOKEN: narrow.token })).code).toBe(3)
  })

  it('makes any declared call, bodies from a file too, downloads to a file', async () => {
    const body = file('body.json', JSON.stringify({ limit: 1 }))
    const { out } = await ops(['call', 'device/getDeviceList', '--body', `@${body}`], asAdmin)
    expect(JSON.parse(out).list).toHaveLength(1)
    const csv = join(home, 'out.csv')
    expect((await ops(['call', 'device/exportDevices', '--save', csv], asAdmin)).code).toBe(0)
    expect(readFileSync(csv, 'utf8')).toContain(a.devices[0]?.sn)
    expect((await ops(['call', '--list'], asAdmin)).out).toContain('levelUp/addLevelUp')
    const nowhere = await ops(['call', 'device/exportDevices', '--save', join(home, 'no', 'x.csv')], asAdmin)
    expect(nowhere).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^\S+x\.csv cannot be written \(ENOENT\)\n$/),
    })
  })

  it('checks UCI text without a platform, and compares with a table', async () => {
    const nowhere = { IOT_URL: 'http://127.0.0.1:9' }
    const good = file('good', "config t 'n'\n\toption a 'caf\u00e9'\n")
    const bad = file('bad', 'config t\noption a-b 1\n')
    const { code, out } = await ops(['-o', 'json', 'uci', 'check', good, bad], nowhere)
    expect(code).toBe(1)
    const [first, second] = JSON.parse(out)
    expect(first).toMatchObject({ result: 'ok', sections: 1 })
    expect(second).toMatchObject({ result: 'refused', line: 2, reason: 'invalid character in name field' })
    expect((await ops(['uci', 'check', good], nowhere)).code).toBe(0)

    const refusal = 'uci: Parse error (invalid character in name field) at line 2, byte 9'
    const table = (sha: string) => file('TABLE.tsv', `good\tok\t1\t${sha}\nbad\trefused\t-\t${refusal}\n`)
    const same = await ops(['uci', 'check', '--golden', table(first.sha256)], nowhere)
    expect(same).toMatchObject({ code: 0, out: expect.stringMatching(/^2 files .* 0 differ\n$/) })
    const other = await ops(['uci', 'check', '--golden', table('0'.repeat(64))], nowhere)
    expect(other).toMatchObject({ code: 1, err: expect.stringMatching(/^good: /) })

    // A refused file that the table expects to be refused agrees with it; one that it does not know does not.
    const golden = ['--golden', table(first.sha256)]
    expect(await ops(['uci', 'check', good, bad, ...golden], nowhere)).toMatchObject({ code: 0 })
    const unknown = file('unknown', 'config t\n\toption a-b 1\n')
    expect((await ops(['uci', 'check', bad, unknown, ...golden], nowhere)).code).toBe(1)

    // The comparison is told beside the JSON, never in it.
    for (const named of [[good, bad], []]) {
      const read = await ops(['uci', 'check', ...named, ...golden, '-o', 'json'], nowhere)
      expect(JSON.parse(read.out)).toMatchObject([{ result: 'ok' }, { result: 'refused', line: 2 }])
      expect(read).toMatchObject({ code: 0, err: expect.stringMatching(/^2 files .* 0 differ\n$/) })
    }
  })

  it('says that a platform cannot be reached', async () => {
    const { code, err } = await ops(['devices', 'list'], { IOT_URL: 'http://127.0.0.1:9' })
    expect({ code, err }).toMatchObject({ code: 3, err: expect.stringContaining('cannot be reached') })
  })
})
