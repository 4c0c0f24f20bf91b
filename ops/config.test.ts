/** `ops config`, and packages that are signed on the command line. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { unseal } from '#infra/secrets'
import { sampleDoc } from '#schema/config/sample-doc'
import { SECRET_MASK } from '#schema/kit/secret-mask'
import { apiTest } from '#test/api-client'
import { addConfigFile, configArchive } from '#test/config-archive'
import { configure } from '#test/configured'
import { opsAgainst } from '#test/ops-run'
import { makeArchive } from '#test/walks/make-archive'

const { app, call, tenants, context } = await apiTest()
const { a } = tenants
const { sql } = context
await app.listen({ host: '127.0.0.1', port: 0 })
const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
const home = mkdtempSync(join(tmpdir(), 'iot-ops-config-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const run = opsAgainst(url, home)
const made = await call<{ token: string }>('token/createApiToken', { name: 'ops' }, a.admin)
const ops = (args: string[], input = '') => run(args, { IOT_TOKEN: made.data?.token ?? '' }, input)
const file = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(home, name), content)
  return join(home, name)
}

const [one, other] = a.devices
if (!one || !other) throw new Error('tenants have devices')
const newest = async () => {
  const [task] = await sql<{ kind: string; args: { change?: string }; devices: number[] }[]>`
    select t.kind, t.args, array(select device_id from task_items where task_id = t.id order by 1) as devices
    from tasks t order by t.id desc limit 1`
  return task
}
const changeOf = async () =>
  JSON.parse(unseal((await newest())?.args.change ?? '', context.env.JWT_SECRET)) as object

/** Each run is a process of its own. */
const SLOW_MS = 60_000

describe('ops config', { timeout: SLOW_MS }, () => {
  const twoWans = {
    ...sampleDoc,
    network: {
      name: 'network',
      sections: (sampleDoc['network']?.sections ?? []).map((section) => ({
        ...section,
        options: section.options.map((option) =>
          option.name === 'metric' && section.name === 'wan' ? { ...option, value: '77' } : option,
        ),
      })),
    },
  }
  beforeAll(async () => {
    await configure(context, one.id)
    await configure(context, other.id, { doc: twoWans })
  })
  beforeEach(() => sql`update device_configs set item_id = null`)

  it('prints what a device runs, as UCI or by page, without its passwords', async () => {
    const { code, out } = await ops(['config', 'get', one.sn])
    expect({ code, begins: out.slice(0, 8) }).toEqual({ code: 0, begins: 'package ' })
    expect(out).toContain("option some_other 'kept'")
    expect(out).not.toContain('not-a-real-one')
    const json = await ops(['config', 'get', one.sn, '--format', 'json'])
    expect(JSON.parse(json.out)).toMatchObject({ wan: { mode: 'dhcp', metric: 10 } })
    expect(await ops(['config', 'get', one.sn, '--desired'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('code 359'),
    })
    expect((await ops(['config', 'get', 'NO-SUCH'])).code).toBe(3)
  })

  it('a device that has reported no configuration is named, neither printed as nothing nor found equal', async () => {
    const [, , silent] = a.devices
    if (!silent) throw new Error('tenants have three devices')
    const said = { code: 3, out: '', err: `${silent.sn} has reported no configuration\n` }
    expect(await ops(['config', 'get', silent.sn])).toMatchObject(said)
    expect(await ops(['config', 'diff', silent.sn, '--exit-code'])).toMatchObject(said)
    expect(await ops(['config', 'diff', one.sn, '--with', silent.sn, '--exit-code'])).toMatchObject(said)
  })

  it('compares with another device and with files; --exit-code is for scripts', async () => {
    const differs = await ops(['config', 'diff', one.sn, '--with', other.sn, '--exit-code', '-o', 'json'])
    expect(differs.code).toBe(1)
    expect(JSON.parse(differs.out)).toEqual([{ place: 'wan.metric', own: 10, other: 77 }])
    const { out } = await ops(['config', 'get', other.sn])
    const uci = await ops(['config', 'diff', one.sn, '--file', '-', '-o', 'json'], out)
    expect(JSON.parse(uci.out)).toEqual([{ place: 'network.wan.metric', own: '10', other: '77' }])
    const same = await ops(['config', 'diff', other.sn, '--file', '-', '--exit-code'], out)
    expect(same.code).toBe(0)
    const yaml = file('wan.yaml', 'wan:\n  metric: 10\n  mode: static\n')
    expect(JSON.parse((await ops(['config', 'diff', one.sn, '--file', yaml, '-o', 'json'])).out)).toEqual([
      { place: 'wan.mode', own: 'dhcp', other: 'static' },
    ])
  })

  it('applies a UCI text to one device through its draft, or says why not', async () => {
    const { out } = await ops(['config', 'get', other.sn])
    const path = file('network.uci', out)
    const dry = await ops(['config', 'apply', '-f', path, '--devices', one.sn, '--dry-run'])
    expect(dry).toMatchObject({ code: 0, out: expect.stringContaining('network.wan.metric') })
    expect((await ops(['config', 'apply', '-f', path, '--devices', `${one.sn},${other.sn}`])).code).toBe(2)
    const bad = await ops([
      'config',
      'apply',
      '-f',
      file('bad', 'package network\nconfig\n'),
      '--devices',
      one.sn,
    ])
    expect(bad).toMatchObject({ code: 3, err: expect.stringContaining('Line 2') })
    await call('config/saveConfigDraft', { deviceId: one.id, page: 'wan', values: { metric: 5 } }, a.admin)
    const held = await ops(['config', 'apply', '-f', path, '--devices', one.sn])
    expect(held).toMatchObject({ code: 3, err: expect.stringContaining(a.admin.username) })
    await call('config/discardConfigDraft', { deviceId: one.id }, a.admin)
    const sent = await ops(['config', 'apply', '-f', path, '--devices', one.sn])
    expect(sent).toMatchObject({ code: 0, err: expect.stringContaining('1 change, tried') })
    expect(await newest()).toMatchObject({ kind: 'config', devices: [one.id] })
    const again = await ops(['config', 'apply', '-f', path, '--devices', one.sn])
    expect(again.code).toBe(3)
  })

  it('applies values to a group, and counts first what they would change', async () => {
    const path = file('metric.json', '{ "wan": { "metric": 33 } }')
    const dry = await ops(['config', 'apply', '-f', path, '--all', '--dry-run', '-o', 'json'])
    expect(JSON.parse(dry.out)).toMatchObject({ changed: 2, faulty: 0 })
    const fixed = file('fixed.json', '{ "wan": { "mode": "static" } }')
    const faulty = await ops(['config', 'apply', '-f', fixed, '--devices', one.sn, '--dry-run'])
    expect(faulty).toMatchObject({
      code: 1,
      err: expect.stringContaining(`${one.sn}: IP address is required`),
    })
    const { code } = await ops(['config', 'apply', '-f', path, '--devices', `${one.sn},${other.sn}`])
    expect(code).toBe(0)
    expect(await newest()).toMatchObject({ kind: 'config', devices: [one.id, other.id] })
    expect(await changeOf()).toEqual({ by: 'values', pages: { wan: { metric: 33 } } })
    const limits = () =>
      sql`select max_failures, max_failure_percent, max_in_flight, slow_start from tasks order by id desc limit 1`
    expect(await limits()).toMatchObject([
      { max_failures: null, max_failure_percent: 10, max_in_flight: 500, slow_start: true },
    ])
    const both = ['config', 'apply', '-f', path, '--devices', `${one.sn},${other.sn}`]
    expect(await ops([...both, '--max-failures', '2', '--max-in-flight', '5'])).toMatchObject({ code: 0 })
    expect(await limits()).toMatchObject([{ max_failures: 2, max_failure_percent: null, max_in_flight: 5 }])
    expect(await ops([...both, '--no-guard'])).toMatchObject({ code: 0 })
    expect(await limits()).toMatchObject([
      { max_failures: null, max_failure_percent: null, slow_start: false },
    ])
    const masked = file('masked.json', `{ "sim": { "sim1": { "password": "${SECRET_MASK}" } } }`)
    const refused = await ops(['config', 'apply', '-f', masked, '--all'])
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('--from') })
    const unknown = await ops([
      'config',
      'apply',
      '-f',
      file('x.json', '{ "wan": { "colour": 1 } }'),
      '--all',
    ])
    expect(unknown.code).toBe(3)
  })

  it('prints the warnings of the review on stderr and in JSON, and continues', async () => {
    const zones = [
      { id: '@0', name: 'lan', networks: ['lan'], input: 'ACCEPT', output: 'ACCEPT' },
      { id: '@1', name: 'wan', networks: ['wan', 'wan1', 'wan6'], masq: true, mtuFix: true },
    ]
    const values = file('zones.json', JSON.stringify({ firewall: { zones } }))
    const unknown = 'There is no interface named wan6'
    const of = (devices?: number) => ({ page: 'firewall', path: 'zones.networks', message: unknown, devices })
    const both = ['--devices', `${one.sn},${other.sn}`]
    const apply = ['config', 'apply', '-f', values, ...both, '-o', 'json']
    const dry = await ops([...apply, '--dry-run'])
    expect(JSON.parse(dry.out)).toMatchObject({ changed: 2, onUplink: 2, warnings: [of(2)] })
    const sent = await ops(apply)
    expect(sent).toMatchObject({ code: 0, err: expect.stringContaining(`${unknown} (devices: 2)`) })
    expect(sent.err).toContain('devices whose uplink in use it changes: 2')
    expect(JSON.parse(sent.out)).toMatchObject({ devices: 2, warnings: [of(2)] })
    const compared = await ops(['config', 'diff', one.sn, '--file', values, '--exit-code'])
    expect(compared).toMatchObject({ code: 1, err: expect.stringContaining(unknown) })
    await sql`update device_configs set item_id = null`
    await call('config/discardConfigDraft', { deviceId: one.id }, a.admin)
    const { out } = await ops(['config', 'get', one.sn])
    const text = file('wan6.uci', out.replace("option network 'wan wan1'", "option network 'wan wan1 wan6'"))
    const uci = ['config', 'apply', '-f', text, '--devices', one.sn, '-o', 'json']
    const warned = { path: 'zones.1.networks', message: unknown }
    expect(JSON.parse((await ops([...uci, '--dry-run'])).out)).toMatchObject({ warnings: [warned] })
    const applied = await ops(uci)
    expect(applied).toMatchObject({ code: 0, err: expect.stringContaining(unknown) })
    expect(JSON.parse(applied.out)).toMatchObject({ devices: 1, warnings: [warned] })
    const diff = await ops(['config', 'diff', one.sn, '--file', text])
    expect(diff).toMatchObject({ code: 0, err: expect.stringContaining(unknown) })
  })

  it('lists, prints and applies templates', async () => {
    const pages = { wan: { metric: 21 } }
    const template = { name: 'Branch', pages, everywhere: true }
    expect((await call('configTemplate/addConfigTemplate', template, a.admin)).code).toBe(0)
    const [list, shown, dry, none] = await Promise.all([
      ops(['config', 'template', 'list']),
      ops(['config', 'template', 'show', 'Branch', '-o', 'json']),
      ops(['config', 'template', 'apply', 'Branch', '--dry-run', '-o', 'json']),
      ops(['config', 'template', 'show', 'None']),
    ])
    expect(list.out).toContain('Branch')
    expect(JSON.parse(shown.out)).toMatchObject({ pages })
    expect(JSON.parse(dry.out)).toMatchObject({ changed: 2 })
    expect(none.code).toBe(3)
    expect((await ops(['config', 'template', 'apply', 'Branch', '--devices', one.sn])).code).toBe(0)
    expect(await newest()).toMatchObject({ kind: 'config', devices: [one.id] })
    expect(await changeOf()).toEqual({ by: 'templates' })
    expect((await ops(['config', 'diff', one.sn, '-o', 'json'])).out).toContain('"template": "Branch"')
  })

  it('rolls values, templates and configuration files out in waves', async () => {
    const both = `devices: [${one.sn}, ${other.sn}]\nname: In waves\n`
    const rollout = (text: string) => ops(['rollout', 'create', '-f', file('rollout.yaml', text)])
    const waves = async () => {
      const [task] =
        await sql`select kind, last_wave as last, soak_minutes as soak from tasks order by id desc limit 1`
      return task
    }
    const values = await rollout(`${both}values: { wan: { metric: 34 } }\nwaves: [1]\nsoakMinutes: 5\n`)
    expect(values).toMatchObject({ code: 0, err: expect.stringContaining('2 devices') })
    expect(await waves()).toEqual({ kind: 'config', last: 1, soak: 5 })
    expect(await changeOf()).toEqual({ by: 'values', pages: { wan: { metric: 34 } } })
    const masked = await rollout(`${both}values: { sim: { sim1: { password: "${SECRET_MASK}" } } }\n`)
    expect(masked.code).toBe(2)

    const named = { name: 'Reached', pages: { wan: { metric: 22 } }, deviceIds: [other.id] }
    expect((await call('configTemplate/addConfigTemplate', named, a.admin)).code).toBe(0)
    expect((await rollout('template: Reached\nname: Where it holds\n')).code).toBe(0)
    expect(await newest()).toMatchObject({ kind: 'config', devices: [other.id] })
    expect(await changeOf()).toEqual({ by: 'templates' })

    const content = await configArchive({ 'etc/config/system': "config system\n\toption hostname 'x'\n" })
    const { id } = await addConfigFile(context, { customerId: a.customerId, name: 'Names', content })
    expect((await rollout(`${both}configFile: ${id}\nwaves: [1]\n`)).code).toBe(0)
    expect(await waves()).toMatchObject({ kind: 'configFile', last: 1 })
    expect((await rollout(`${both}configFile: ${id}\ntemplate: Reached\n`)).code).toBe(2)
  })
})

describe('ops packages manifest and upload --signature', { timeout: SLOW_MS }, () => {
  it('signs a package and prints the signature, and uploads it if the owner requires one', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const publicText = publicKey.export({ format: 'pem', type: 'spki' }).toString()
    expect(
      (await call('package/createSigningKey', { name: 'Vendor', publicKey: publicText }, a.admin)).code,
    ).toBe(0)
    const content = await makeArchive(20_000)
    const path = file('signed.tar.gz', content)
    const about = ['--model', 'R200', '--version', '7.1']
    const manifest = await ops(['packages', 'manifest', path, ...about])
    expect(manifest.out.split('\n')).toEqual([
      'iot-package 1',
      createHash('sha256').update(content).digest('hex'),
      String(content.length),
      'upgrade',
      'R200',
      '7.1',
      'R200 7.1',
      '',
    ])
    const signature = file(
      'manifest.sig',
      `${sign(null, Buffer.from(manifest.out), privateKey).toString('base64')}\n`,
    )
    const upload = (...more: string[]) => ops(['packages', 'upload', '--no-wait', path, ...about, ...more])
    expect((await upload()).code).toBe(3)
    expect((await upload('--name', 'Another', '--signature', signature)).code).toBe(3)
    expect(await upload('--signature', join(home, 'none'))).toMatchObject({ code: 2 })
    expect(await upload('--signature', signature)).toMatchObject({
      code: 0,
      out: expect.stringContaining('7.1'),
    })
    expect((await ops(['packages', 'manifest', join(home, 'none'), ...about])).code).toBe(2)
  })
})
