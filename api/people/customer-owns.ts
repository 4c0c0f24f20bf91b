/**
 * [§8 Blocked deletes] What a customer still owns, by the foreign keys of the database, so that no table is
 * forgotten.
 */
import type { Transaction } from '#infra/postgres'
import type { ServerSay } from '#schema/kit/say'
import type { ServerKey } from '#schema/kit/words.gen'

/** The names of the rows of these tables. */
export const ownedNames = {
  devices: 'customer:owns.devices',
  groups: 'customer:owns.groups',
  users: 'customer:owns.users',
  roles: 'customer:owns.roles',
  packages: 'customer:owns.packages',
  config_files: 'customer:owns.config_files',
  north_targets: 'customer:owns.north_targets',
  south_accounts: 'customer:owns.south_accounts',
  signing_keys: 'customer:owns.signing_keys',
  tasks: 'customer:owns.tasks',
  enrolment_keys: 'customer:owns.enrolment_keys',
  contacts: 'customer:owns.contacts',
  alarm_rules: 'customer:owns.alarm_rules',
  alarm_channels: 'customer:owns.alarm_channels',
  maintenances: 'customer:owns.maintenances',
  projects: 'customer:owns.projects',
  collection_templates: 'customer:owns.collection_templates',
  terminal_snippets: 'customer:owns.terminal_snippets',
} as const satisfies Record<string, ServerKey>
const isNamed = (table: string): table is keyof typeof ownedNames => Object.hasOwn(ownedNames, table)

/** Rows about deleted objects do not block the deletion. */
const tombstone: Readonly<Record<string, string>> = {
  packages: 'deleted_at is not null',
  devices: 'purged_at is not null',
}

/** Every table with a `customer_id` that blocks the deletion, and the number of rows. */
export async function ownedBy(
  tx: Transaction,
  customerId: number,
): Promise<{ table: string; total: number }[]> {
  const keys = await tx<{ table: string; column: string }[]>`
    select c.conrelid::regclass::text as "table", a.attname as "column"
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'customers'::regclass and c.confdeltype in ('a', 'r') and c.conparentid = 0
    order by 1`
  const found: { table: string; total: number }[] = []
  for (const { table, column } of keys) {
    const dead = tombstone[table]
    const [row] = await tx<{ total: number }[]>`
      select count(*)::int as total from ${tx(table)} where ${tx(column)} = ${customerId} ${dead ? tx.unsafe(`and not (${dead})`) : tx``}`
    if (row && row.total > 0) found.push({ table, total: row.total })
  }
  return found
}

/** "2 users, 1 package", in the reader's language. */
export const ownedText = (owned: readonly { table: string; total: number }[], say: ServerSay): string =>
  owned
    .map(({ table, total }) => `${say(isNamed(table) ? ownedNames[table] : 'customer:owns.other')} ${total}`)
    .join(say('kit:comma'))
