/** A page that a device is too old for says from which firmware on it exists. */
import { beforeAll, expect, it } from 'vitest'
import { pageList } from '#schema/config/page-list'
import { apiTest } from '#test/api-client'
import { configure } from '#test/configured'

const { context, call, tenants } = await apiTest()
const { sql } = context
const { a, b } = tenants
const [old, newer, newest] = a.devices
const [foreign] = b.devices

type Page = { name: string; offer: string; since: string | null }
const pages = async (): Promise<Page[]> => {
  const body = { deviceId: old?.id }
  const { data } = await call<{ pages: Page[] }>('config/getDeviceConfig', body, a.admin)
  return data?.pages ?? []
}

beforeAll(async () => {
  for (const device of [newer, newest, foreign]) await configure(context, device?.id ?? 0)
  await sql`update devices set model = 'R200', firmware = '1.2.0'`
})

it('is the oldest one that has it among the devices of the model that the user sees', async () => {
  await sql`update devices set firmware = '1.10.0' where id = ${newest?.id ?? 0}`
  await sql`update devices set firmware = '1.9.0' where id = ${newer?.id ?? 0}`
  await sql`update devices set firmware = '1.3.0' where id = ${foreign?.id ?? 0}`
  const found = await pages()
  expect(found).toHaveLength(pageList.length)
  for (const page of found) expect(page).toMatchObject({ offer: 'oldVersion', since: '1.9.0' })
})

it('is not known where no device of the model has it, and not said of a page that is offered', async () => {
  await sql`update devices set model = 'R300' where id <> ${old?.id ?? 0}`
  for (const page of await pages()) expect(page).toMatchObject({ offer: 'oldVersion', since: null })
  await configure(context, old?.id ?? 0)
  await sql`update devices set model = 'R200'`
  const offered = (await pages()).filter(({ offer }) => offer === 'yes')
  expect(offered.length).toBeGreaterThan(0)
  for (const page of offered) expect(page.since).toBeNull()
})
