import { expect, it } from 'vitest'
import { packageHash } from '#infra/config-hash'
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
