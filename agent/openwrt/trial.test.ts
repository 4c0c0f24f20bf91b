/** Changing the configuration of a router on trial, against the real broker: the agent, the guard, and what may come between. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configHash, packageHash } from '#infra/config-hash'
import { type DeviceLine, openDeviceLine } from '#infra/service-mqtt'
import { command as commandDownlink } from '#schema/command/command'
import { exportUci, parseUci } from '#schema/config/uci'
import { brokerTest } from '#test/broker-test'
import { missingTools, networkText, Router } from '#test/openwrt/router'

if (missingTools.length > 0)
  console.warn(
    `SKIPPED: the agent for OpenWrt is not run, because ${missingTools.join(', ')} is not installed`,
  )

type Reply = { id: string; state: string; error?: string; result?: Record<string, unknown> }
type Hello = {
  configHash: string
  config: { packages: Record<string, string>; pending?: { revision: number } }
}
type Texts = Record<string, string | null>

const canonical = (name: string, text: string) => exportUci(parseUci(name, text))
const hashOf = (name: string, text: string | null) =>
  text === null ? null : packageHash(canonical(name, text))

describe.skipIf(missingTools.length > 0)('a change of the configuration', { timeout: 90_000 }, async () => {
  const test = await brokerTest('OWRT', 1)
  let router: Router
  let line: DeviceLine
  let revision = 0
  const device = test.device()
  const changed = networkText('192.168.7.1')

  async function heard<T>(name: string, found: (payload: T) => boolean): Promise<T> {
    for (const end = Date.now() + 30_000; Date.now() < end; await sleep(100)) {
      const rows = await test.context.sql<{ payload: T }[]>`
        select payload from inbox where name = ${name} order by id desc limit 50`
      const row = rows?.find(({ payload }) => found(payload))
      if (row) return row.payload
    }
    throw new Error(`no such ${name}\n${router.output}\n${router.read('calls')}`)
  }
  const reply = (id: string, ...states: string[]) =>
    heard<Reply>('reply', (one) => one.id === id && states.includes(one.state))
  const ended = (id: string) => reply(id, 'done', 'failed')
  const hello = (found: (hello: Hello) => boolean) => heard<Hello>('hello', found)
  const send = async (name: string, args: Record<string, unknown>, id: string = randomUUID()) => {
    await line.publish(device.sn, commandDownlink, {
      id,
      name,
      args,
      deadlineAt: Date.now() + 600_000,
    })
    return id
  }
  /** The hash of the whole configuration that the router has below its folder. */
  const runs = (name: string) => router.read(`etc/config/${name}`)
  function wholeHash(texts: Texts): string {
    const managed = [...runs('iotagent').matchAll(/list package '?(\w+)'?/g)].map(([, name = '']) => name)
    const hashes = managed.flatMap((name): [string, string][] => {
      const hash = hashOf(name, name in texts ? (texts[name] ?? null) : runs(name) || null)
      return hash === null ? [] : [[name, hash]]
    })
    return configHash(Object.fromEntries(hashes))
  }
  async function apply(
    texts: Texts,
    confirmS: number,
    over: {
      base?: Record<string, string | null>
      hash?: string
      whole?: string
      files?: { path: string; text: string | null }[]
    } = {},
  ): Promise<string> {
    revision++
    const base = Object.fromEntries(
      Object.keys(texts).map((name) => [name, hashOf(name, runs(name) || null)]),
    )
    return send('applyConfig', {
      revision,
      base: over.base ?? base,
      packages: Object.entries(texts).map(([name, text]) => ({
        name,
        text,
        hash: over.hash ?? hashOf(name, text),
      })),
      files: over.files ?? [],
      configHash: over.whole ?? wholeHash(texts),
      confirmS,
    })
  }
  const connected = async () => {
    for (const end = Date.now() + 30_000; !router.read('var/run/iotagent/connected'); await sleep(100))
      if (Date.now() > end) throw new Error(`not connected\n${router.output}`)
  }
  const provesAt = () => router.read('var/run/iotagent/prove')
  const onTrial = async (id: string) => {
    await reply(id, 'accepted')
    await expect.poll(provesAt, { timeout: 20_000 }).toMatch(/^\d+\n$/)
    router.uptimeS = Number(provesAt())
    return hello((one) => one.config.pending?.revision === revision)
  }
  const isOver = () => expect.poll(() => router.list('etc/iotagent/pending'), { timeout: 30_000 }).toEqual([])

  beforeAll(async () => {
    router = new Router({ host: '127.0.0.1', port: String(test.broker.ports.mqtt), serial: device.sn })
    router.write('etc/iotagent/secret', device.secret)
    line = openDeviceLine(
      { ...test.context.env, MQTT_URL: `mqtt://127.0.0.1:${test.broker.ports.mqtt}` },
      'openwrt-test',
    )
    router.start('guard')
    router.start('agent')
    await connected()
  })
  afterAll(async () => {
    await line?.close()
    await router?.close()
  })

  it('is confirmed over a new connection and stays', async () => {
    const id = await apply({ network: changed }, 90)
    const { configHash: now, config } = await onTrial(id)
    expect(config.packages['network']).toBe(hashOf('network', changed))
    expect(now).toBe(configHash(config.packages))
    expect(router.calls).toContain('event {"type":"config.change","data":{"package":"network"}}')
    await send('confirmConfig', { revision })
    expect(await ended(id)).toMatchObject({
      state: 'done',
      result: { outcome: 'confirmed', configHash: now },
    })
    await isOver()
    // With its comments: what was sent is what is there.
    expect(runs('network')).toBe(changed)
  })

  it('counts a confirmation only over a connection made after the services have reloaded', async () => {
    const id = await apply({ network: networkText('192.168.6.1') }, 90)
    await reply(id, 'accepted')
    await expect.poll(() => router.read('etc/iotagent/pending/phase'), { timeout: 20_000 }).toBe('trial\n')
    // The services have not reloaded: whatever connection there is by now, it was made with the former configuration.
    await sleep(4000)
    await send('confirmConfig', { revision })
    await sleep(5000)
    expect(router.read('etc/iotagent/pending/phase')).toBe('trial\n')
    await onTrial(id)
    await send('confirmConfig', { revision })
    expect(await ended(id)).toMatchObject({ state: 'done', result: { outcome: 'confirmed' } })
    await isOver()
    const back = await apply({ network: changed }, 90)
    await onTrial(back)
    await send('confirmConfig', { revision })
    expect(await ended(back)).toMatchObject({ state: 'done' })
  })

  it('is rolled back when it is not confirmed in time, measured by uptime', async () => {
    const id = await apply({ network: networkText('192.168.8.1') }, 90)
    await onTrial(id)
    router.uptimeS += 91
    expect(await ended(id)).toMatchObject({
      state: 'failed',
      result: { outcome: 'reverted', configHash: expect.any(String), detail: 'not confirmed within 90 s' },
    })
    await isOver()
    expect(runs('network')).toBe(changed)
  })

  it('is rolled back by the guard after the agent was killed', async () => {
    const id = await apply({ network: networkText('192.168.9.1') }, 90)
    await onTrial(id)
    await router.kill('agent')
    router.uptimeS += 91
    await expect.poll(() => runs('network'), { timeout: 20_000 }).toBe(changed)
    router.start('agent')
    expect(await ended(id)).toMatchObject({ result: { outcome: 'reverted' } })
    await isOver()
  })

  it('is rolled back by a reboot in the middle of the trial, before anything else starts', async () => {
    const id = await apply({ network: networkText('192.168.10.1'), system: null }, 300)
    await onTrial(id)
    expect(runs('system')).toBe('')
    await router.kill('agent')
    await router.kill('guard')
    router.boot()
    expect(runs('network')).toBe(changed)
    expect(runs('system')).toContain('shop-17')
    router.start('guard')
    router.start('agent')
    expect(await ended(id)).toMatchObject({
      result: { outcome: 'reverted', detail: 'the device was restarted during the trial' },
    })
    await isOver()
  })

  it('is rolled back on request of the platform, including files', async () => {
    const path = '/etc/openvpn/ca.crt'
    router.write('etc/openvpn/ca.crt', 'before')
    const id = await apply({ network: networkText('192.168.11.1') }, 300, {
      files: [{ path, text: 'after\n' }],
    })
    await onTrial(id)
    expect(router.read('etc/openvpn/ca.crt')).toBe('after\n')
    await send('revertConfig', { revision })
    expect(await ended(id)).toMatchObject({
      result: { outcome: 'reverted', detail: 'told to by the platform' },
    })
    expect(router.read('etc/openvpn/ca.crt')).toBe('before')
    await isOver()
  })

  it('keeps changes made on the device during the trial, and reports them', async () => {
    const id = await apply({ network: networkText('192.168.12.1'), dhcp: "config dhcp 'lan'\n" }, 90)
    await onTrial(id)
    const theirs = networkText('192.168.13.1')
    router.write('etc/config/network', theirs)
    router.uptimeS += 91
    const { result } = await ended(id)
    expect(result?.['detail']).toMatch(/not confirmed .*left as it is: network$/)
    expect(runs('network')).toBe(theirs)
    expect(runs('dhcp')).toContain('start')
    await isOver()
  })

  it('reboots once when there is no connection for five minutes after a rollback', async () => {
    const id = await apply({ network: changed }, 90)
    await onTrial(id)
    await router.kill('agent')
    router.uptimeS += 91
    await expect.poll(() => router.read('etc/iotagent/pending/phase'), { timeout: 20_000 }).toBe('reverted\n')
    router.remove('var/run/iotagent/connected')
    // Its time is lost, as when RAM is full: counted from now on.
    const reverted = () => router.read('var/run/iotagent/reverted')
    await expect.poll(reverted, { timeout: 20_000 }).toMatch(/^\d+\n$/)
    router.write('var/run/iotagent/reverted', '\n')
    await expect.poll(reverted, { timeout: 20_000 }).toMatch(/^\d+\n$/)
    router.uptimeS += 301
    await expect
      .poll(() => router.calls.filter((call) => call.startsWith('reboot')), { timeout: 20_000 })
      .toHaveLength(1)
    router.uptimeS += 301
    await sleep(5000)
    expect(router.calls.filter((call) => call.startsWith('reboot'))).toHaveLength(1)
    router.start('agent')
    await ended(id)
    await isOver()
  })

  it('without a trial stays at once, and a known command is only answered again', async () => {
    const text = "config system\n\toption hostname 'shop-18'\n"
    const id = await apply({ system: text }, 0)
    expect(await ended(id)).toMatchObject({ state: 'done', result: { outcome: 'confirmed' } })
    expect(runs('system')).toBe(text)
    router.write('etc/config/system', "config system\n\toption hostname 'other'\n")
    await send(
      'applyConfig',
      { revision, base: {}, packages: [], files: [], configHash: '', confirmS: 0 },
      id,
    )
    await sleep(3000)
    expect(runs('system')).toContain('other')
  })

  describe('touches nothing', () => {
    const untouched = async (id: string, result: Record<string, unknown>) => {
      const before = runs('network')
      expect(await ended(id)).toMatchObject({ state: 'failed', result })
      expect(runs('network')).toBe(before)
      expect(router.list('etc/iotagent')).not.toContain('pending')
    }

    it('where a package is not what it is based on', async () => {
      const id = await apply({ network: changed }, 90, { base: { network: '0'.repeat(64) } })
      await untouched(id, { outcome: 'conflict' })
    })

    it('where uci refuses a text, with its reason', async () => {
      const broken = "config interface 'lan'\n\toption ip-addr '1'\n"
      const id = await apply({ network: networkText() }, 90, {})
      await onTrial(id)
      await send('confirmConfig', { revision })
      await ended(id)
      const second = await send('applyConfig', {
        revision: ++revision,
        base: { network: hashOf('network', runs('network')) },
        packages: [{ name: 'network', text: broken, hash: '0'.repeat(64) }],
        files: [],
        configHash: '0'.repeat(64),
        confirmS: 90,
      })
      await untouched(second, {
        outcome: 'rejected',
        fault: {
          package: 'network',
          reason: expect.stringContaining('invalid character in name field) at line 2'),
        },
      })
    })

    it('where a byte was lost on the way', async () => {
      const id = await apply({ network: changed }, 90, { hash: '1'.repeat(64) })
      await untouched(id, {
        outcome: 'rejected',
        fault: {
          package: 'network',
          reason: `does not hash as it was sent: ${hashOf('network', changed)} instead of ${'1'.repeat(64)}`,
        },
      })
    })

    it('where another package is not what the platform knows', async () => {
      const id = await apply({ network: changed }, 90, { whole: '2'.repeat(64) })
      await untouched(id, {
        outcome: 'conflict',
        detail: 'another package is not what the platform knows',
      })
    })

    it('where there are leftovers in /tmp/.uci', async () => {
      router.write('tmp/.uci/network', "network.lan.ipaddr='10.0.0.1'\n")
      await untouched(await apply({ network: changed }, 90), { outcome: 'busy' })
      router.remove('tmp/.uci')
    })

    it('while a change is being tried in LuCI; an old snapshot does not count', async () => {
      router.write('var/run/rpcd/snapshot-files/network', '')
      await untouched(await apply({ network: changed }, 90), { outcome: 'busy' })
      router.age('var/run/rpcd/snapshot-files/network', 600)
      const id = await apply({ network: changed }, 90)
      await onTrial(id)
      await send('confirmConfig', { revision })
      await ended(id)
      await isOver()
    })

    it('of a package that is not managed, and no file elsewhere', async () => {
      await untouched(await apply({ dropbear: 'config dropbear\n' }, 90), {
        outcome: 'rejected',
        fault: { package: 'dropbear' },
      })
      const id = await apply({ system: 'config system\n' }, 0, {
        files: [{ path: '/etc/ssl/../passwd', text: 'x' }],
      })
      await untouched(id, { outcome: 'rejected', fault: { package: 'files' } })
    })

    it('where the firewall would leave a section out', async () => {
      router.write(
        'fw4',
        `/bin/grep -q bad_option "${router.root}/etc/config/firewall" && echo '[!] Section @rule[0] (x) specifies unknown option bad_option'; true`,
      )
      const before = runs('firewall')
      const id = await apply({ firewall: `${before}\nconfig rule\n\toption bad_option '1'\n` }, 90)
      expect(await ended(id)).toMatchObject({
        result: {
          outcome: 'rejected',
          fault: { package: 'firewall', section: '@rule[0]', option: 'bad_option' },
        },
      })
      expect(runs('firewall')).toBe(before)
    })

    it('where one rule would make nft refuse all of them', async () => {
      router.write(
        'fw4',
        `/bin/grep -q "proto 'tpc'" "${router.root}/etc/config/firewall" && {
          echo '/proc/self/fd/0:96:16-18: Error: Could not resolve protocol name'
          printf '\\t\\tmeta l4proto tpc counter accept comment "!fw4: x"\\n\\t\\t             ^^^\\n'; }; true`,
      )
      const before = runs('firewall')
      const id = await apply({ firewall: `${before}\nconfig rule\n\toption proto 'tpc'\n` }, 90)
      expect(await ended(id)).toMatchObject({
        result: {
          outcome: 'rejected',
          fault: { package: 'firewall', reason: 'nft: Could not resolve protocol name' },
        },
      })
      expect(runs('firewall')).toBe(before)
    })

    it('while another change is on trial', async () => {
      const first = await apply({ network: networkText('192.168.20.1') }, 300)
      await onTrial(first)
      const trial = revision
      const second = await apply({ dhcp: "config dhcp 'lan'\n" }, 90)
      expect(await ended(second)).toMatchObject({
        result: { outcome: 'busy', detail: 'another change is on trial' },
      })
      await send('confirmConfig', { revision: trial })
      expect(await ended(first)).toMatchObject({ result: { outcome: 'confirmed' } })
    })
  })

  it('goes on trial where the firewall says what it said before, of a section that has another place now', async () => {
    // The last rule, in whose place there is another one afterwards.
    router.write(
      'fw4',
      `n=$(/bin/grep -c '^config rule' "${router.root}/etc/config/firewall"); echo "[!] Section @rule[$n] (x) specifies unknown option old"`,
    )
    const id = await apply({ firewall: `${runs('firewall')}\nconfig rule\n\toption name 'new'\n` }, 90)
    await onTrial(id)
    await send('confirmConfig', { revision })
    expect(await ended(id)).toMatchObject({ result: { outcome: 'confirmed' } })
    await isOver()
  })

  it('is read with readConfig, without the texts that the platform has', async () => {
    router.write(
      'etc/config/system',
      "config system\n\toption hostname 'a \"b\" \\c'\n\toption tab '\tx'\n\toption bell '\x07\x1b[0m\\n'\n",
    )
    const known = { network: hashOf('network', runs('network')) ?? '' }
    const id = await send('readConfig', { known })
    await ended(id)
    const told = await heard<{
      configHash: string
      packages: Record<string, string>
      texts: Record<string, string>
    }>('config', (one) => 'system' in one.texts)
    expect(told.texts['system']).toBe(canonical('system', runs('system')))
    expect(Object.keys(told.texts).toSorted()).toEqual(['dhcp', 'firewall', 'system'])
    expect(told.packages).toMatchObject(known)
    expect(told.configHash).toBe(configHash(told.packages))
  })
})
