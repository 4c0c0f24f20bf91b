/** [§3 Printer, Printer driver] */

import { describe, expect, it } from 'vitest'
import { printerRefusals } from '#schema/printing/printer-refusals'
import { apiTest } from '#test/api-client'

const { call, tenants, context } = await apiTest()
const { a, b, systemAdmin } = tenants
const { sql } = context

async function attach(deviceId: number | undefined, localId: string, present = true, sign = 'escpos') {
  const [row] = await sql<{ id: number }[]>`
    insert into printers (device_id, local_id, vendor, type, driver_sign, status, status_at, present, method, port, success_count, fail_count)
    values (${deviceId ?? 0}, ${localId}, 'EPSON', 'TM-T88V', ${sign}, 'ready', now(), ${present}, 'usb', '/dev/usb/lp0', 40, 2) returning id`
  return row?.id ?? 0
}
type Listed = { list: Record<string, unknown>[]; total: number }
const list = async (body: object, who: { username: string }) =>
  (await call<Listed>('printer/getPrinterList', body, who)).data

describe('a printer', () => {
  it('is named by its type until it has an alias, and counts successes and failures together', async () => {
    const id = await attach(a.devices[1]?.id, 'usb-1')
    expect((await list({}, a.operator))?.list).toMatchObject([
      { id, alias: 'TM-T88V', successCount: 40, failCount: 2, totalCount: 42, present: true },
    ])
    expect(await call('printer/modifyPrinter', { id, alias: 'Kitchen' }, a.operator)).toMatchObject({
      code: 0,
    })
    expect((await list({ search: 'kitch' }, a.operator))?.total).toBe(1)
    expect((await list({}, b.admin))?.total).toBe(0)
  })

  it('that reports counters as large as they may be is listed, with their sum', async () => {
    const id = await attach(b.devices[0]?.id, 'usb-largest')
    const most = 2_147_483_647
    await sql`update printers set success_count = ${most}, fail_count = ${most} where id = ${id}`
    expect((await list({ sort: 'totalCount' }, b.admin))?.list).toMatchObject([{ totalCount: 2 * most }])
    await sql`delete from printers where id = ${id}`
  })

  it('is in a list of more rows than a statement has parameters', async () => {
    const MANY = 66_000
    await sql`
      insert into printers (device_id, local_id, status, status_at, method, port, success_count, fail_count)
      select ${b.devices[0]?.id ?? 0}, 'many-' || n, 'ready', now(), 'usb', '/dev/usb/lp0', 0, 0 from generate_series(1, ${MANY}) n`
    const found = await list({ limit: 100_000, sort: 'deviceSn' }, b.admin)
    expect([found?.list.length, found?.total]).toEqual([MANY, MANY])
    await sql`delete from printers where local_id like 'many-%'`
  })

  it('can be deleted only when its device no longer lists it', async () => {
    const there = await attach(a.devices[1]?.id, 'usb-2')
    const gone = await attach(a.devices[1]?.id, 'usb-3', false)
    expect(await call('printer/deletePrinter', { id: there }, a.operator)).toMatchObject({
      code: printerRefusals.printerPresent.code,
    })
    expect(await call('printer/deletePrinter', { id: gone }, a.operator)).toMatchObject({ code: 0 })
  })
})

describe('a printer driver', () => {
  const driver = { address: 'https://files.example/escpos.tar.gz', type: 'common', sign: 'escpos' }

  it('has a unique sign, and cannot be deleted while a printer uses it', async () => {
    const made = await call<{ id: number }>('printer/addPrinterDriver', driver, systemAdmin)
    expect(made.code).toBe(0)
    expect(await call('printer/addPrinterDriver', driver, systemAdmin)).toMatchObject({
      code: printerRefusals.driverSignTaken.code,
      field: 'sign',
    })
    const other = await call<{ id: number }>(
      'printer/addPrinterDriver',
      { ...driver, sign: 'zpl' },
      systemAdmin,
    )
    expect(
      await call('printer/modifyPrinterDriver', { ...driver, id: other.data?.id }, systemAdmin),
    ).toMatchObject({ code: printerRefusals.driverSignTaken.code, field: 'sign' })
    expect(
      await call(
        'printer/modifyPrinterDriver',
        { ...driver, id: made.data?.id, debugState: 'passed' },
        systemAdmin,
      ),
    ).toMatchObject({ code: 0 })
    await attach(a.devices[0]?.id, 'usb-9')
    expect((await list({ deviceId: a.devices[0]?.id }, a.admin))?.list).toMatchObject([
      { driverSign: 'escpos', driverDebug: 'passed' },
    ])
    expect(await call('printer/deletePrinterDriver', { id: made.data?.id }, systemAdmin)).toMatchObject({
      code: printerRefusals.driverInUse.code,
    })
    expect(await call('printer/deletePrinterDriver', { id: other.data?.id }, systemAdmin)).toMatchObject({
      code: 0,
    })
  })

  it('counts only the printers visible to the user', async () => {
    const seen = await call<Listed>('printer/getPrinterDriverList', {}, b.admin)
    expect(seen.data?.list).toMatchObject([{ sign: 'escpos', printerCount: 0 }])
  })
})
