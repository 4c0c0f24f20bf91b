import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seal } from '#infra/secrets'
import { until } from '#test/walks/until'
import { openBench } from '#test/worker-bench'
import { deliverNoticesJob } from './deliver-notices.ts'

const { ctx, tenants } = await openBench()
const { sql } = ctx
ctx.env.WEBHOOK_ALLOW_PRIVATE = true

/** Requests to /hangs are answered only at the end. */
const hanging: (() => void)[] = []
const answered: string[] = []
const receiver = createServer((request, response) => {
  if (request.url?.startsWith('/hangs')) return void hanging.push(() => response.end())
  answered.push(request.url ?? '')
  response.end()
})
beforeAll(() => new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done)))
afterAll(() => receiver.close())

async function addChannel(customerId: number, name: string): Promise<number> {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${name}`
  const [channel] = await sql<{ id: number }[]>`
    insert into alarm_channels (customer_id, name, kind, url_sealed, url_shown)
    values (${customerId}, ${name}, 'webhook', ${seal(url, ctx.env.JWT_SECRET)}, 'http://127.0.0.1') returning id`
  return channel?.id ?? 0
}
async function addNotice(customerId: number, channelId: number): Promise<void> {
  const id = randomUUID()
  const payload = { rule: null, incident: null, count: 0, alarms: [], text: 'A notice' }
  await sql`
    insert into alarm_notices (id, customer_id, kind, subject, payload) values (${id}, ${customerId}, 'raised', 'A notice', ${sql.json(payload)})`
  await sql`
    insert into alarm_deliveries (notice_id, customer_id, channel_id, recipient, due_at)
    values (${id}, ${customerId}, ${channelId}, 'hook', ${ctx.now()}::timestamptz - interval '1 minute')`
}

it('receivers of one customer that hang delay no notice of another customer', async () => {
  const [a, b] = [tenants.a.customerId, tenants.b.customerId]
  for (let n = 0; n < 20; n++) await addNotice(a, await addChannel(a, `hangs${n}`))
  const run = deliverNoticesJob.run(ctx, {})
  await until('the first ones hang', () => hanging.length > 0)
  // It comes later, and all that is due before it hangs.
  await addNotice(b, await addChannel(b, 'answers'))
  await until('the other customer is notified', () => answered.length === 1, 5_000)
  expect(hanging.length).toBeLessThan(12)
  const letGo = setInterval(() => {
    for (const answer of hanging.splice(0)) answer()
  }, 20)
  await run
  clearInterval(letGo)
  expect(await sql`select state, count(*)::int as n from alarm_deliveries group by state`).toEqual([
    { state: 'sent', n: 21 },
  ])
}, 20_000)
