/** The n2n edge of a device, filled from the account of its group. */
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { configRefusals } from '#schema/config/config-refusals'
import { groupRefusals } from '#schema/group/group-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'
import { configure } from '#test/configured'

const { context, call, tenants } = await apiTest()
const { sql } = context
const { a, b, systemAdmin } = tenants
const [inRoot, inBranch] = a.devices.map(({ id }) => id)
const PASSWORD = 'open-sesame-9'
type Page = { values: Record<string, unknown>; changed: string[] }
const fill = (deviceId: number | undefined, page = 'n2n-edge', who = a.admin) =>
  call<{ changed: string[] }>('config/fillConfigDraft', { deviceId, page }, who)
const page = async (deviceId: number | undefined) =>
  (await call<Page>('config/getConfigPage', { deviceId, page: 'n2n-edge' }, a.admin)).data
let serverId = 0

beforeAll(async () => {
  for (const id of [inRoot, inBranch]) {
    await configure(context, id ?? 0)
    await sql`update device_configs set abilities = '["n2n","wifi"]' where device_id = ${id ?? 0}`
  }
  const made = await call<{ id: number }>(
    'n2nServer/addN2nServer',
    { name: 'Shanghai', address: 'sn1.example.net', port: 9007, version: 3 },
    systemAdmin,
  )
  serverId = made.data?.id ?? 0
})
beforeEach(async () => {
  await sql`update groups set remote_account = null, remote_password = null, remote_key = null, n2n_server_id = null, bridged = false`
  await sql`delete from config_drafts`
})
const account = async (gid: number, name: string, server = true) => {
  expect((await call('device/modifyGroupName', { gid, name, password: PASSWORD }, a.admin)).code).toBe(0)
  if (server) await sql`update groups set n2n_server_id = ${serverId} where id = ${gid}`
}

it('has everything that the edge needs, and never shows the password', async () => {
  await account(a.groups.root, 'acme-north-long-1')
  expect(await fill(inRoot)).toMatchObject({ code: 0 })
  const { values } = (await page(inRoot)) ?? {}
  expect(values).toMatchObject({
    enabled: true,
    supernode: 'sn1.example.net',
    port: 9007,
    community: 'acme-north-long-1',
    user: 'acme-north-long',
    mode: 'supernode',
  })
  expect(JSON.stringify(values)).not.toContain(PASSWORD)
  const kept = await sql`select changes from config_drafts`
  expect(JSON.stringify(kept)).not.toContain(PASSWORD)
  const review = await call<{ batch: string }>('config/reviewConfig', { deviceId: inRoot }, a.admin)
  expect(review.data?.batch).toContain('n2n.remote.user=acme-north-long')
  expect(JSON.stringify(review.data)).not.toContain(PASSWORD)
  expect(JSON.stringify(await sql`select * from operations`)).not.toContain(PASSWORD)
})

it('keeps what else was edited on the page', async () => {
  await account(a.groups.root, 'acme-north')
  const values = { zone: 'lan', mtu: 1300, community: 'typed' }
  await call('config/saveConfigDraft', { deviceId: inRoot, page: 'n2n-edge', values }, a.admin)
  await fill(inRoot)
  expect((await page(inRoot))?.values).toMatchObject({ zone: 'lan', mtu: 1300, community: 'acme-north' })
})

it('a group without an account uses the nearest one above', async () => {
  await account(a.groups.root, 'acme-whole')
  await fill(inBranch)
  expect((await page(inBranch))?.values).toMatchObject({ community: 'acme-whole' })
  await account(a.groups.branch, 'acme-branch')
  await fill(inBranch)
  expect((await page(inBranch))?.values).toMatchObject({ community: 'acme-branch' })
})

it('but not one that the user does not see', async () => {
  await account(a.groups.root, 'acme-whole')
  expect((await fill(inBranch, 'n2n-edge', a.operator)).code).toBe(groupRefusals.remoteAccountNone.code)
})

it('in a bridged group the LAN assigns the address; older supernodes know no users', async () => {
  await account(a.groups.root, 'acme-north')
  await sql`update groups set bridged = true where id = ${a.groups.root}`
  await fill(inRoot)
  expect((await page(inRoot))?.values).toMatchObject({ mode: 'dhcp', user: 'acme-north' })
  await sql`update n2n_servers set version = 2`
  await fill(inRoot)
  expect((await page(inRoot))?.values).toMatchObject({ mode: 'dhcp', user: '', community: 'acme-north' })
  await sql`update n2n_servers set version = 3`
})

it('says what is missing', async () => {
  expect((await fill(inRoot)).code).toBe(groupRefusals.remoteAccountNone.code)
  await account(a.groups.root, 'acme-north', false)
  expect((await fill(inRoot)).code).toBe(groupRefusals.remoteServerNone.code)
  expect(await fill(inRoot, 'lan')).toMatchObject({ code: sessionRefusals.invalid.code, field: 'page' })
  expect((await fill(inRoot, 'n2n-edge', b.admin)).code).toBe(sessionRefusals.noPermission.code)
  await sql`update device_configs set abilities = '["wifi"]' where device_id = ${inRoot ?? 0}`
  expect((await fill(inRoot)).code).toBe(configRefusals.lacking.code)
})
