import { describe, expect, it } from 'vitest'
import { n2nPublicKey } from '#infra/group/n2n-key'
import { groupRefusals } from '#schema/group/group-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'

const { app, call, tenants, context } = await apiTest()
const { a, b, superAdmin, systemAdmin } = tenants

const base = { name: 'Shanghai', address: 'sn1.example.net', port: 9001, version: 3 }
type Made = { id: number; token: string; url: string }
const add = (body: object, who = systemAdmin) => call<Made>('n2nServer/addN2nServer', body, who)
const made = async (body: object) => (await add({ ...base, ...body })).data as Made
const assign = (n2nInfoIds: number[], serverId: number, port?: number) =>
  call('n2nServer/updateGroupInfo', { n2nInfoIds, serverId, ...(port ? { port } : {}) }, systemAdmin)
const account = (gid: number, body: object, who = a.admin) =>
  call('device/modifyGroupName', { gid, ...body }, who)

const list = (id: number, token: string, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'GET',
    url: `/n2n/${id}/community.list`,
    headers: { authorization: `Bearer ${token}`, ...headers },
  })

describe('[§5 N2n]', () => {
  it('name, address and version are required, and the version is an integer', async () => {
    for (const field of ['name', 'address', 'version', 'port'])
      expect(await add({ ...base, [field]: '' })).toMatchObject({ code: sessionRefusals.invalid.code, field })
    expect(await add({ ...base, version: 2.5 })).toMatchObject({
      code: sessionRefusals.invalid.code,
      field: 'version',
    })
  })

  it('the port is between 9001 and 50000', async () => {
    for (const port of [9000, 50_001, 0, 9001.5])
      expect(await add({ ...base, port })).toMatchObject({
        code: sessionRefusals.invalid.code,
        field: 'port',
      })
    expect((await add({ ...base, name: 'Low', port: 9001 })).code).toBe(0)
    expect((await add({ ...base, name: 'High', port: 50_000 })).code).toBe(0)
  })

  it('a port is given once, whatever the address: no duplicates', async () => {
    const first = await made({ address: 'once.example.net', port: 9300 })
    expect(await add({ ...base, address: 'twice.example.net', port: 9300 })).toMatchObject({
      code: groupRefusals.n2nPortTaken.code,
      message: 'Port 9300 is taken by another n2n server',
      field: 'port',
    })
    const other = await made({ address: 'once.example.net', port: 9301 })
    expect(
      await call(
        'n2nServer/modifyN2nServer',
        { serverId: other.id, ...base, address: 'twice.example.net', port: 9300 },
        systemAdmin,
      ),
    ).toMatchObject({ code: groupRefusals.n2nPortTaken.code })
    expect(first.id).not.toBe(other.id)
  })

  it('[§7] n2nInfoIds is a list, or a text with commas as dids', async () => {
    const { id } = await made({ name: 'Commas', port: 9302 })
    const groups = [a.groups.branch, a.groups.other]
    const given = (n2nInfoIds: unknown) =>
      call<{ count: number }>('n2nServer/updateGroupInfo', { n2nInfoIds, serverId: id }, systemAdmin)
    expect(await given(groups.join(','))).toMatchObject({ code: 0, data: { count: 2 } })
    expect(await given(groups)).toMatchObject({ code: 0, data: { count: 2 } })
    for (const wrong of ['', '1,', 'a', [], '1;2', '9'.repeat(12)])
      expect((await given(wrong)).code).not.toBe(0)
    // No group has such an id.
    for (const large of [[2 ** 31], [Number.MAX_SAFE_INTEGER], `${groups[0]},${'9'.repeat(12)}`])
      expect((await given(large)).code).toBe(sessionRefusals.noPermission.code)
    await call('n2nServer/updateGroupInfo', { n2nInfoIds: groups, serverId: 0 }, systemAdmin)
    await call('n2nServer/deleteN2nServer', { serverId: id }, systemAdmin)
  })

  it('servers are the installation’s: a customer administrator neither lists nor changes them', async () => {
    expect((await call('n2nServer/listN2nServer', {}, a.admin)).code).toBe(sessionRefusals.noPermission.code)
    expect((await add(base, a.admin)).code).toBe(sessionRefusals.noPermission.code)
    const { id } = await made({ port: 9400 })
    expect((await account(a.groups.root, { groupServiceDistribution: id })).code).toBe(
      sessionRefusals.noPermission.code,
    )
  })
})

describe('groups of a server', () => {
  it('are assigned by updateGroupInfo, counted, and returned by getN2nServer', async () => {
    const server = await made({ name: 'Counted', port: 9500 })
    expect(await assign([a.groups.root, a.groups.branch], server.id, 9500)).toMatchObject({
      data: { count: 2 },
    })
    const listed = await call<{ list: object[] }>(
      'n2nServer/listN2nServer',
      { search: 'Counted' },
      systemAdmin,
    )
    expect(listed.data?.list).toMatchObject([
      { name: 'Counted', port: 9500, version: 3, groupTotal: 2, deviceTotal: 3, up: null, edges: null },
    ])
    expect(await call('n2nServer/getN2nServer', { serverId: server.id }, systemAdmin)).toMatchObject({
      data: {
        groups: [
          { groupName: 'Branch', customerName: 'Acme', n2nInfoId: a.groups.branch, deviceTotal: 2 },
          { groupName: 'Default', deviceTotal: 1 },
        ],
      },
    })
  })

  it('keep their server if the port is another one, or one of them is unknown', async () => {
    const server = await made({ name: 'Careful', port: 9600 })
    expect(await assign([b.groups.root], server.id, 9601)).toMatchObject({
      code: groupRefusals.n2nPortOther.code,
      field: 'port',
    })
    expect((await assign([b.groups.root, 999_999], server.id)).code).toBe(sessionRefusals.noPermission.code)
    const [group] = await context.sql`select n2n_server_id as server from groups where id = ${b.groups.root}`
    expect(group).toEqual({ server: null })
  })

  const logins = async () =>
    (
      await context.sql<{ logins: number | null }[]>`
        select remote_logins as logins from groups where id = any(${[a.groups.root, a.groups.branch]}) order by id`
    ).map((group) => group.logins)

  it('keep their logins when they are given the server that they have', async () => {
    const server = await made({ name: 'Same', port: 9610 })
    await assign([a.groups.root], server.id)
    await context.sql`update groups set remote_logins = 3 where id = any(${[a.groups.root, a.groups.branch]})`
    expect(await assign([a.groups.root, a.groups.branch], server.id)).toMatchObject({ data: { count: 2 } })
    expect(await logins()).toEqual([3, null])
  })

  it.each([
    ['is no longer monitored', {}],
    ['is another one', { managementPort: 5646 }],
  ])('have unknown logins when the supernode %s', async (_, management) => {
    const port = 9611 + Object.keys(management).length
    const server = await made({ name: 'Watched', port, managementPort: 5645 })
    await assign([a.groups.root, a.groups.branch], server.id)
    await context.sql`update groups set remote_logins = 3 where id = any(${[a.groups.root, a.groups.branch]})`
    await context.sql`update n2n_servers set up = true, edges = 6, started_at = now() where id = ${server.id}`
    const modify = (more: object) =>
      call('n2nServer/modifyN2nServer', { serverId: server.id, ...base, port, ...more }, systemAdmin)
    expect((await modify({ name: 'Renamed', managementPort: 5645 })).code).toBe(0)
    expect(await logins()).toEqual([3, 3])
    expect((await modify({ name: 'Renamed', ...management })).code).toBe(0)
    expect(await logins()).toEqual([null, null])
    expect(
      await context.sql`select up, edges, started_at as started from n2n_servers where id = ${server.id}`,
    ).toEqual([{ up: null, edges: null, started: null }])
  })

  it('[§8] an n2n server that has groups or devices cannot be deleted', async () => {
    const server = await made({ name: 'Busy', port: 9700 })
    await assign([b.groups.branch], server.id)
    const remove = () => call('n2nServer/deleteN2nServer', { serverId: server.id }, systemAdmin)
    expect(await remove()).toMatchObject({
      code: groupRefusals.n2nServerInUse.code,
      message: 'The n2n server cannot be deleted: groups 1, devices 2',
    })
    expect((await assign([b.groups.branch], 0)).code).toBe(0)
    // Given to a group while it is being deleted.
    const { late } = await context.sql.begin(async (tx) => {
      await tx`update groups set n2n_server_id = ${server.id} where id = ${b.groups.branch}`
      const late = remove()
      await expect
        .poll(
          () =>
            context.sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        .toHaveLength(1)
      return { late }
    })
    expect(await late).toMatchObject({ message: 'The n2n server cannot be deleted: groups 1, devices 2' })
    expect((await assign([b.groups.branch], 0)).code).toBe(0)
    expect((await remove()).code).toBe(0)
  })
})

describe('the community list', () => {
  it('has a community and a user per account, with the key of n2n-keygen and the network of the remote IP', async () => {
    const server = await made({ name: 'Listed', port: 9800 })
    await account(a.groups.root, { name: 'acme-remote-long-1', password: 'secret-7', ip: '10.128.9.1' })
    await account(a.groups.branch, { name: 'acme-bridged', password: 'secret-8', n2nInfoBridge: true })
    await account(a.groups.other, { name: 'acme-elsewhere', password: 'secret-9' })
    await assign([a.groups.root, a.groups.branch], server.id)
    const answer = await list(server.id, server.token)
    expect(answer.statusCode).toBe(200)
    const lines = answer.body.trim().split('\n')
    // n2n truncates user names to 15 characters; the key belongs to the truncated name.
    expect(lines.slice(3)).toEqual([
      'acme-remote-long-1 10.128.9.0/24',
      `* acme-remote-lon ${n2nPublicKey('acme-remote-lon', 'secret-7')}`,
      'acme-bridged',
      `* acme-bridged ${n2nPublicKey('acme-bridged', 'secret-8')}`,
    ])
    expect(answer.body).not.toContain('secret-')
  })

  it('is never empty, because a supernode with an empty list admits every edge', async () => {
    const server = await made({ name: 'Empty', port: 9801 })
    expect((await list(server.id, server.token)).body).toMatch(/^#.*\nnone\n\* none [\w+-]{43}\n$/)
  })

  it('contains only communities for supernodes without users', async () => {
    const server = await made({ name: 'Old', port: 9802, version: 2 })
    await account(b.groups.root, { name: 'bolt-old', password: 'secret-8' }, b.admin)
    await assign([b.groups.root], server.id)
    expect((await list(server.id, server.token)).body).toMatch(/^#.*\n[A-Za-z0-9]{19}\nbolt-old\n$/)
  })

  it('requires the server’s token, and returns 304 when nothing changed', async () => {
    const server = await made({ name: 'Guarded', port: 9803 })
    const other = await made({ name: 'Guarded 2', port: 9804 })
    for (const [id, token] of [
      [server.id, 'wrong'],
      [server.id, other.token],
      [999_999, server.token],
    ] as const)
      expect((await list(id, token)).statusCode).toBe(401)
    const first = await list(server.id, server.token)
    const again = await list(server.id, server.token, { 'if-none-match': String(first.headers['etag']) })
    expect(again.statusCode).toBe(304)
    const rotated = await call<Made>('n2nServer/rotateN2nToken', { serverId: server.id }, superAdmin)
    expect((await list(server.id, server.token)).statusCode).toBe(401)
    expect((await list(server.id, rotated.data?.token ?? '')).statusCode).toBe(200)
    const [row] =
      await context.sql`select token_hash as hash, fetched_at is not null as fetched from n2n_servers where id = ${server.id}`
    expect(row).toMatchObject({ fetched: true })
    expect(row?.['hash']).not.toBe(rotated.data?.token)
  })
})
