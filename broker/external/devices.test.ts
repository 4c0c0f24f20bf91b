/** Who sent a message, while the database comes back. */
import { expect, it } from 'vitest'
import type { Context } from '#infra/context'
import { openDevices } from './devices.ts'

it('what a device has sent stays in its order, also if the first look-up fails and what is known is forgotten', async () => {
  const row = { sn: 'A', device_id: 1, customer_id: 1, used: true }
  let forget = () => undefined as unknown
  let away = true
  const sql = Object.assign(
    async () => {
      if (away) throw new Error('away')
      return [row]
    },
    {
      listen: async (_channel: string, notified: () => unknown) => {
        forget = notified
        return { unlisten: async () => undefined }
      },
    },
  ) as unknown as Context['sql']
  let failed: () => void = () => undefined
  const hasFailed = new Promise<void>((done) => {
    failed = done
  })
  const devices = await openDevices({ sql, log: { warn: () => failed() } as never })
  const order: string[] = []
  const take = async (message: string) => {
    await devices.find('A')
    order.push(message)
  }
  const first = take('first')
  await hasFailed
  // The connection for notifications is back as well.
  away = false
  forget()
  await Promise.all([first, take('second'), take('third')])
  expect(order).toEqual(['first', 'second', 'third'])
})
