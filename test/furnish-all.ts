/**
 * All that a customer can own, once each: what the files of test/furnish/ make, and for objects that none of them makes a
 * row of sampled columns. So the calls about a new kind of object are tried with another customer's ids from the start.
 */
import { randomUUID } from 'node:crypto'
import { type Column, getTableColumns } from 'drizzle-orm'
import { isStored, type Stored } from '#api/kit/stored'
import { gather, gatherDeclared, gatherSubjects } from '#infra/gather'
import { type Call, isCall } from '#schema/kit/call'
import { type Furnished, isFurnish } from './furnish.ts'
import type { TestContext } from './harness.ts'
import type { Tenant } from './tenants.ts'

const furnishers = await gather(new URL('./furnish/', import.meta.url), isFurnish)
const kinds = await gatherSubjects(new URL('../api/', import.meta.url), isStored)
const calls = await gatherDeclared(isCall)

/** The body field that names the one object that the call is about, and where such objects are. */
function named({ about }: Call): { field: string; of: Stored } | null {
  if (about === null || !['edits', 'deletes', 'uses'].includes(about.does)) return null
  if (!('by' in about) || typeof about.by !== 'string') return null
  const of = kinds.find(({ object }) => object === about.object)
  // Rows of the installation belong to no customer.
  return of?.customerId || of?.deviceId ? { field: about.by, of } : null
}

/** @throws for a column that cannot be sampled: the object needs a file in test/furnish/ */
function sampled(key: string, column: Column, of: Stored, tenant: Tenant): unknown {
  if (column === of.customerId) return tenant.customerId
  if (column === of.deviceId) return tenant.devices[0]?.id
  if (column.enumValues?.[0] !== undefined) return column.enumValues[0]
  if (column.columnType === 'PgUUID') return randomUUID()
  if (column.dataType === 'string') return `${tenant.name} ${key}`
  if (column.dataType === 'number') return 1
  if (column.dataType === 'boolean') return true
  if (column.dataType === 'date') return new Date()
  throw new Error(`${of.object.name} has no file in test/furnish/, and its column ${key} cannot be sampled`)
}

const isInGroup = ({ table, deviceId }: Stored) =>
  deviceId !== undefined || 'groupId' in getTableColumns(table)

async function makeOne({ db }: TestContext, of: Stored, tenant: Tenant): Promise<unknown> {
  const needed = Object.entries(getTableColumns(of.table)).filter(
    ([, column]) => column.notNull && !column.hasDefault && !column.generatedIdentity,
  )
  const values = Object.fromEntries(needed.map(([key, column]) => [key, sampled(key, column, of, tenant)]))
  const [made] = await db.insert(of.table).values(values).returning({ id: of.id })
  return made?.id
}

/** @param only leaves out what belongs to the whole customer, which no group hides */
export async function furnishAll(
  context: TestContext,
  tenant: Tenant,
  only?: 'inGroups',
): Promise<Furnished> {
  const found: Furnished = { shared: {}, own: {} }
  for (const { run } of furnishers) {
    const { shared = {}, own = {} } = await run(context, tenant)
    Object.assign(found.shared, shared)
    Object.assign(found.own, own)
  }
  const made = new Map<Stored, unknown>()
  for (const call of calls) {
    const { field, of } = named(call) ?? {}
    if (!field || !of || field in found.shared || field in (found.own[call.name] ?? {})) continue
    if (only === 'inGroups' && !isInGroup(of)) continue
    if (!made.has(of)) made.set(of, await makeOne(context, of, tenant))
    found.own[call.name] = { ...found.own[call.name], [field]: made.get(of) }
  }
  return found
}
