/** Test data for the generated tests: one file per subject in test/furnish/. */
import { randomUUID } from 'node:crypto'
import { ofKind } from '#schema/kit/kind'
import type { TestContext } from './harness.ts'
import type { Ids } from './sample-body.ts'
import type { Tenant } from './tenants.ts'

export type Furnished = {
  /** Field name → id, for every call with a field of that name. */
  shared: Record<string, unknown>
  /** Call name → ids for its own meaning of a field name (`id`). */
  own: Record<string, Ids>
}
export type Furnish = {
  kind: 'furnish'
  run(context: TestContext, tenant: Tenant): Promise<Partial<Furnished>>
}

/**
 * Creates one of each object that a customer can own; texts contain the tenant's name, so that a leak is detected.
 */
export const furnish = (run: Furnish['run']): Furnish => ({ kind: 'furnish', run })

export const isFurnish = ofKind<Furnish>('furnish')

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
/** Texts that are not ids stay unchanged. */
const missingValue = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(missingValue)
    : typeof value === 'string'
      ? isUuid(value)
        ? randomUUID()
        : value
      : 2_000_000_000

/** The same fields with ids that do not exist. */
export const missingOf = (ids: Ids): Ids =>
  Object.fromEntries(Object.entries(ids).map(([field, value]) => [field, missingValue(value)]))
