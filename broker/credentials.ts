/** Looks credentials up in batches: 10,000 devices that reconnect at once cost about twenty queries. */
import { batched } from '#infra/batched'
import type { Context } from '#infra/context'

export type DeviceRow = {
  id: number
  sn: string
  customer_id: number
  secret_hash: string | null
  secret_used_at: Date | null
  sealed: boolean
}
export type AccountRow = {
  id: number
  username: string
  secret_hash: string
  topics: string[]
}
export type KeyRow = { id: number; hash: string }

export function openCredentials({ sql }: Pick<Context, 'sql'>) {
  return {
    device: batched<DeviceRow>(
      (sns) => sql<DeviceRow[]>`
        select id, sn, customer_id, secret_hash, secret_used_at, secret_sealed is not null as sealed from devices
        where sn = any(${sns}::text[]) and deleted_at is null`,
      (row) => row.sn,
    ),
    /** Enabled accounts of foreign sources. */
    account: batched<AccountRow>(
      (usernames) => sql<AccountRow[]>`
        select id, username, secret_hash, topics from south_accounts
        where username = any(${usernames}::text[]) and enabled`,
      (row) => row.username,
    ),
    /** Enrolment keys that are still valid. */
    key: batched<KeyRow>(
      (hashes) => sql<KeyRow[]>`
        select id, hash from enrolment_keys where hash = any(${hashes}::text[])
          and revoked_at is null and expires_at > now()`,
      (row) => row.hash,
    ),
    /**
     * After the first login, enrolment may not issue another secret. Returns null if it just has, which makes
     * this one invalid.
     */
    markUsed: batched<{ sn: string; secret_hash: string }>(
      (pairs) => sql<{ sn: string; secret_hash: string }[]>`
        with locked as (
          -- By id, as all who lock many devices do: of two transactions that wait for each other PostgreSQL aborts one.
          select d.id, d.secret_hash from devices d
            join unnest(${pairs.map((pair) => pair.split(' ')[0] ?? '')}::text[], ${pairs.map((pair) => pair.split(' ')[1] ?? '')}::text[]) as k(sn, hash)
              on d.sn = k.sn and d.secret_hash = k.hash
          where d.deleted_at is null order by d.id for no key update of d)
        update devices d set secret_used_at = coalesce(d.secret_used_at, now())
        from locked where d.id = locked.id and d.secret_hash = locked.secret_hash and d.deleted_at is null
        returning d.sn, d.secret_hash`,
      (row) => `${row.sn} ${row.secret_hash}`,
    ),
    /** Stores the secret of a device that an external broker will need (infra/broker-account.ts). */
    keep: async (id: number, hash: string, sealed: string): Promise<void> => {
      await sql`
        update devices set secret_sealed = ${sealed} where id = ${id} and secret_hash = ${hash} and secret_sealed is null`
    },
  }
}
export type Credentials = ReturnType<typeof openCredentials>
