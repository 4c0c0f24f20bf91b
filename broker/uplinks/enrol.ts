import { sealFor } from '#infra/broker-account'
import { hashSecret, makeSecret } from '#infra/secrets'
import { enrolled, enrol as uplink } from '#schema/device/enrol'
import { session } from '../uplink.ts'

type Outcome = { ended: boolean; taken: boolean; full: boolean; device: number | null; same: boolean }

/**
 * A single statement claims the key and creates the device: a transaction of several would end the process if its
 * connection broke (postgres.js issue 1208). An existing device gets a new secret only if its current one was never
 * used: the response may have been lost, but the secret of a device in use must not be replaced. A device that asks
 * again with the secret in use is simply confirmed.
 */
export const enrol = session({
  uplink,
  reply: enrolled,
  answer: async ({ sql, log, env }, peer, said) => {
    const { sn, keyId } = peer
    const secret = said.secret ?? makeSecret()
    const sealed = sealFor(env, secret)
    const hash = hashSecret(secret)
    const [row] = await sql<Outcome[]>`
      with key as materialized (
        select id, customer_id, group_id, used_count < max_count as free, revoked_at is null and expires_at > now() as valid
        from enrolment_keys where id = ${keyId} for update),
      known as materialized (
        select d.id, d.customer_id = key.customer_id and d.deleted_at is null and d.secret_used_at is null
          and d.secret_hash is not null as open,
          d.customer_id = key.customer_id and d.deleted_at is null and d.secret_hash = ${hash} as same
        from key, devices d where d.sn = ${sn} for update of d),
      reissued as (
        update devices d set secret_hash = ${hash}, secret_sealed = ${sealed}, secret_changed_at = now(), model = ${said.model}
        from known, key where d.id = known.id and known.open and key.valid and d.secret_used_at is null returning d.id),
      made as (
        insert into devices (customer_id, group_id, sn, name, model, secret_hash, secret_sealed)
        select customer_id, group_id, ${sn}, ${said.name?.trim() || sn}, ${said.model}, ${hash}, ${sealed} from key
        where valid and free and not exists (select 1 from known) on conflict (sn) do nothing returning id),
      state as (insert into device_states (device_id) select id from made on conflict do nothing),
      counted as (update enrolment_keys k set used_count = k.used_count + 1 from made where k.id = ${keyId}),
      notified as (select pg_notify('device_credentials', id::text) from reissued)
      select not coalesce((select valid from key), false) as ended, not coalesce((select open from known), true) as taken,
        not coalesce((select free from key), true) and not exists (select 1 from known) as full,
        coalesce((select id from made), (select id from reissued)) as device,
        coalesce((select same from known), false) as same, (select count(*) from notified)`
    if (row?.device || (row?.same && !row.ended)) return said.secret === undefined ? { sn, secret } : { sn }
    const refusal = row?.ended
      ? 'the enrolment key has expired or was revoked'
      : row?.full
        ? 'the enrolment key has been used as often as it may'
        : 'this serial number is in use already'
    log.warn({ sn, keyId, refusal }, 'enrolment refused')
    return { sn, refusal }
  },
})
