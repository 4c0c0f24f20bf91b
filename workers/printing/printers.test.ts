/** The last list of a device applies; printers missing from it are unplugged. */
import { beforeAll, expect, it } from 'vitest'
import { printers } from '#schema/printing/printer'
import { type TestContext, testContext } from '#test/harness'
import { seedTenants, type TestDevice } from '#test/tenants'
import { printersReport } from './printers.ts'

let context: TestContext
let device: TestDevice

beforeAll(async () => {
  context = await testContext()
  device = (await seedTenants(context)).a.devices[0] as TestDevice
})

type Reported = { id: string; status?: string; successCount?: number; lastPrintAt?: number }

/** Applies messages as one batch, twice: repeats change nothing. */
async function tell(...messages: { at: number; printers: Reported[] }[]): Promise<void> {
  for (let turn = 0; turn < 2; turn++) {
    const kept = new Map()
    for (const { at, printers: list } of messages)
      printersReport.apply({ kept } as never, {
        device: { id: device.id } as never,
        receivedAt: new Date(at),
        payload: printers.payload.parse({
          at,
          printers: list.map((printer) => ({
            status: 'ready',
            method: 'usb',
            port: '/dev/usb/lp0',
            successCount: 1,
            failCount: 0,
            ...printer,
          })),
        }),
      })
    await context.sql.begin(async (tx) => {
      for (const { rows, write } of kept.values()) await write(tx, rows)
    })
  }
}
const stored = () =>
  context.sql`select local_id as id, status, present, success_count as count from printers where device_id = ${device.id} order by local_id`

const T0 = Date.UTC(2026, 10, 21, 10)

it('applies the last list that arrived and marks missing printers, also when the clock of the device was set back', async () => {
  await tell({ at: T0, printers: [{ id: 'a', successCount: 5 }, { id: 'b' }] })
  await tell(
    { at: T0 + 1000, printers: [{ id: 'a', successCount: 6 }, { id: 'b' }] },
    { at: T0 + 2000, printers: [{ id: 'a', successCount: 7, status: 'outOfPaper' }] },
  )
  const expected = [
    { id: 'a', status: 'outOfPaper', present: true, count: 7 },
    { id: 'b', status: 'offline', present: false, count: 1 },
  ]
  expect([...(await stored())]).toEqual(expected)
  await tell({ at: T0 - 3 * 3_600_000, printers: [{ id: 'b', successCount: 2 }] })
  expect([...(await stored())]).toEqual([
    { id: 'a', status: 'offline', present: false, count: 7 },
    { id: 'b', status: 'ready', present: true, count: 2 },
  ])
})

it('uses the later of two entries with the same id', async () => {
  await tell({
    at: T0 + 9000,
    printers: [
      { id: 'c', successCount: 1 },
      { id: 'c', successCount: 2 },
    ],
  })
  expect((await stored()).filter(({ id }) => id === 'c')).toMatchObject([{ count: 2 }])
})

it('keeps the time of the last print, however long ago, and leaves out one that cannot be right', async () => {
  const lastPrint = async () =>
    (
      await context.sql<{ at: Date | null }[]>`
      select last_print_at as at from printers where device_id = ${device.id} and local_id = 'd'`
    )[0]?.at
  await tell({ at: T0 + 10_000, printers: [{ id: 'd', lastPrintAt: 0 }] })
  expect(await lastPrint()).toBeNull()
  const idle = T0 - 90 * 86_400_000
  await tell({ at: T0 + 11_000, printers: [{ id: 'd', lastPrintAt: idle }] })
  expect(await lastPrint()).toEqual(new Date(idle))
  // Its clock not yet set, or years ahead.
  for (const wrong of [0, 60_000, T0 + 15 * 365 * 86_400_000]) {
    await tell({ at: T0 + 12_000, printers: [{ id: 'd', lastPrintAt: wrong }] })
    expect(await lastPrint()).toEqual(new Date(idle))
  }
})
