import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { configHash, packageHash } from '#infra/config-hash'
import { sampleDoc } from '#schema/config/sample-doc'
import { exportUci } from '#schema/config/uci'
import { configure } from '#test/configured'
import { openBench } from '#test/worker-bench'
import { drainInboxJob } from '../inbox/drain-inbox.ts'

const bench = await openBench()
const [device, other] = bench.tenants.a.devices

it.each(['constructor', 'toString', '__proto__'])(
  'a package called %s, as no file of a router is, holds up no report of others',
  async (name) => {
    if (!device || !other) throw new Error('no devices')
    await configure(bench.ctx, device.id)
    const hash = packageHash('')
    await bench.report(device, 'config', {
      at: Date.now(),
      configHash: hash,
      // Computed: in a literal `__proto__` is not a member.
      packages: { [name]: hash },
      texts: {},
      more: false,
    })
    await bench.report(other, 'log', {
      bootId: name,
      lines: [{ seq: 1, at: 0, priority: 'info', text: 'good' }],
    })
    await drainInboxJob.run(bench.ctx, {})
    expect(await bench.ctx.sql`select text from device_logs where boot_id = ${name}`).toEqual([
      { text: 'good' },
    ])
    expect(await bench.ctx.sql`select 1 from inbox`).toHaveLength(0)
  },
)

it('a change that is on trial is no difference, also where the device is read before it is confirmed', async () => {
  if (!device) throw new Error('no devices')
  const { sql } = bench.ctx
  await configure(bench.ctx, device.id, { desired: sampleDoc })
  const texts = Object.fromEntries(Object.values(sampleDoc).map((one) => [one.name, exportUci(one)]))
  const report = async (dhcp: string) => {
    const packages = Object.fromEntries(
      Object.entries({ ...texts, dhcp }).map(([name, text]) => [name, packageHash(text)]),
    )
    const hash = configHash(packages)
    const send = () =>
      bench.report(device, 'config', {
        at: Date.now(),
        configHash: hash,
        packages,
        texts: { dhcp },
        more: false,
      })
    return { hash, send }
  }
  const driftNow = async () => {
    await drainInboxJob.run(bench.ctx, {})
    const [row] = await sql<
      { drift: number }[]
    >`select drift from device_configs where device_id = ${device.id}`
    return row?.drift
  }
  const ours = await report(texts['dhcp']?.replace("leasetime '6h'", "leasetime '7h'") ?? '')
  await sql`update device_configs set item_id = ${randomUUID()}, next_hash = ${ours.hash} where device_id = ${device.id}`
  await ours.send()
  expect(await driftNow()).toBe(0)
  const somebodys = await report(texts['dhcp']?.replace("leasetime '6h'", "leasetime '8h'") ?? '')
  await somebodys.send()
  expect(await driftNow()).toBe(1)
  await sql`update device_configs set item_id = null where device_id = ${device.id}`
  await ours.send()
  expect(await driftNow()).toBe(1)
})
