/** What the generated tests know of a customer's belongings: one file per word in test/furnish/. */
import { randomUUID } from 'node:crypto'
import { ofKind } from '#schema/kit/kind'
import type { TestContext } from './harness.ts'
import type { Ids } from './sample-body.ts'
import type { Tenant } from './tenants.ts'

export type Furnished = {
  /** Field name → id, for every call with a field of that name. */
  shared: Record<string, unknown>
  /** Call name → ids that only this call means by its field names (`id`). */
  own: Record<string, Ids>
}
export type Furnish = {
  kind: 'furnish'
  run(context: TestContext, tenant: Tenant): Promise<Partial<Furnished>>
}

/** Makes one of each thing that a customer can own; texts carry the tenant's name, so that a leak shows. */
export const furnish = (run: Furnish['run']): Furnish => ({ kind: 'furnish', run })

export const isFurnish = ofKind<Furnish>('furnish')

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
/** Words that are no ids stay as they are. */
const missingValue = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(missingValue)
    : typeof value === 'string'
      ? isUuid(value)
        ? randomUUID()
        : value
      : 2_000_000_000

/** The same fields with ids that nothing has. */
export const missingOf = (ids: Ids): Ids =>
  Object.fromEntries(Object.entries(ids).map(([field, value]) => [field, missingValue(value)]))
