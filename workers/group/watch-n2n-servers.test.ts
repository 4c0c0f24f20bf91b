import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Supernode, startSupernode } from '#test/programs/supernode'
import { type Bench, openBench } from '#test/worker-bench'
import { watchN2nServersJob } from './watch-n2n-servers.ts'

let bench: Bench
let node: Supernode
let watched: number
let unwatched: number

const add = async (name: string, port: number, managementPort: number | null) => {
  const [made] = await bench.ctx.sql<{ id: number }[]>`
    insert into n2n_servers (name, address, port, version, management_port, token_hash)
    values (${name}, '127.0.0.1', ${port}, 3, ${managementPort}, 'x') returning id`
  return made?.id ?? 0
}
const server = async (id: number) =>
  (
    await bench.ctx.sql`
      select up, edges, check_error as error, last_seen_at as seen, started_at as started from n2n_servers where id = ${id}`
  )[0]
const logins = async () =>
  (
    await bench.ctx.sql<{ logins: number | null }[]>`
      select remote_logins as logins from groups where id in (${bench.tenants.a.groups.root}, ${bench.tenants.a.groups.branch}) order by id`
  ).map((row) => row.logins)

beforeAll(async () => {
  bench = await openBench()
  node = await startSupernode()
  watched = await add('watched', 9100, node.port)
  unwatched = await add('unwatched', 9101, null)
  const { root, branch } = bench.tenants.a.groups
  await bench.ctx
    .sql`update groups set remote_account = 'acme-north', n2n_server_id = ${watched} where id = ${branch}`
  await bench.ctx
    .sql`update groups set remote_account = 'acme-default', n2n_server_id = ${watched} where id = ${root}`
})
afterAll(() => node.close())

it('a supernode that responds is up, with its edges, and each group with its logins', async () => {
  node.edges = [
    { community: 'acme-north', macaddr: '02:00:00:00:00:01', desc: 'a' },
    { community: 'acme-north', macaddr: '02:00:00:00:00:02', desc: 'b' },
  ]
  await watchN2nServersJob.run(bench.ctx, {})
  expect(await server(watched)).toMatchObject({
    up: true,
    edges: 2,
    error: null,
    started: new Date(1_700_000_000_000),
  })
  expect(await logins()).toEqual([0, 2])
})

it('a supernode that is not monitored is unknown, not zero', async () => {
  expect(await server(unwatched)).toEqual({ up: null, edges: null, error: null, seen: null, started: null })
})

it('a silent one is down with the reason, its figures are unknown, and the time it was last seen is kept', async () => {
  const before = await server(watched)
  node.deaf = 10
  bench.pass(60_000)
  await watchN2nServersJob.run(bench.ctx, {})
  const after = await server(watched)
  expect(after).toMatchObject({ up: false, edges: null, seen: before?.['seen'] })
  expect(after?.['error']).toContain('no answer')
  expect(await logins()).toEqual([null, null])
})

it('what a supernode answers is not stored when it is no longer monitored meanwhile', async () => {
  // The second try succeeds, after the change.
  node.deaf = 1
  node.edges = [{ community: 'acme-north', macaddr: '02:00:00:00:00:01', desc: 'a' }]
  const asked = node.heard.length
  const job = watchN2nServersJob.run(bench.ctx, {})
  await expect.poll(() => node.heard.length).toBeGreaterThan(asked)
  await bench.ctx.sql`update n2n_servers set management_port = null, up = null where id = ${watched}`
  await job
  expect(await server(watched)).toMatchObject({ up: null })
  expect(await logins()).toEqual([null, null])
})
