import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { listCall } from '#schema/kit/list'
import { apiTokens } from '#schema/tables/session'
import { users } from '#schema/tables/user'
import type { CallContext } from './handler.ts'
import { listOf } from './list-of.ts'

const list = listCall({
  path: '/api/test/getList',
  permission: 'login',
  summary: 'A list of this test.',
  sorts: ['name'],
  searches: ['name'],
  filters: { owner: z.number().optional() },
  row: z.object({ id: z.number(), name: z.string() }),
})
const { id, name, userId } = apiTokens
const filters = { owner: (owner: number) => sql`${userId} = ${owner}` }
const from = <C extends Parameters<CallContext['db']['select']>[0] & object>(
  { db }: CallContext,
  columns: C,
) => ({
  table: apiTokens,
  rows: db.select(columns).from(apiTokens),
})

it('accepts a listing with exactly the declared columns', () => {
  const good = listOf(list, 'apiTokens', (ctx) => ({ ...from(ctx, { id, name }), filters }))
  expect(good.call).toBe(list)
})

it('does not compile if a sort, a searched field or a filter has no column', () => {
  const unnamed = (ctx: CallContext) => ({ ...from(ctx, { id }), filters })
  // @ts-expect-error no column for name
  listOf(list, 'apiTokens', unnamed, () => [])
  // @ts-expect-error no column for owner
  listOf(list, 'apiTokens', (ctx) => from(ctx, { id, name }))
  expect(list.sorts).toEqual(['name'])
})

it('does not compile if a row is not as declared: a field missing, undeclared, of another type or perhaps unknown', () => {
  // @ts-expect-error id is missing
  listOf(list, 'apiTokens', (ctx) => ({ ...from(ctx, { name }), filters }))
  // @ts-expect-error hash is not declared
  listOf(list, 'apiTokens', (ctx) => ({ ...from(ctx, { id, name, hash: apiTokens.hash }), filters }))
  // @ts-expect-error name is a text
  listOf(list, 'apiTokens', (ctx) => ({ ...from(ctx, { id, name: id }), filters }))
  const username = ({ db }: CallContext) =>
    db.select({ id, name: users.username }).from(apiTokens).leftJoin(users, sql`true`)
  // @ts-expect-error without a joined user there is no name
  listOf(list, 'apiTokens', (ctx) => ({ table: apiTokens, rows: username(ctx), filters }))
  const told = (rows: { id: number; name: string }[]) => rows.map((row) => ({ ...row, hash: '' }))
  // @ts-expect-error more is returned than is declared
  listOf(list, 'apiTokens', (ctx) => ({ ...from(ctx, { id, name }), filters }), told)
  expect(list.searches).toEqual(['name'])
})
