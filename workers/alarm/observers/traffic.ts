import type { Transaction } from '#workers/kit/processor'
import { observeLevel, observes } from '../observer.ts'

const today = (tx: Transaction, at: Date) => tx`(${at}::timestamptz at time zone 'UTC')::date`

async function observeTraffic(tx: Transaction, kind: 'trafficDay' | 'trafficMonth', at: Date): Promise<void> {
  const unit = kind === 'trafficDay' ? 1024 ** 2 : 1024 ** 3
  const first = kind === 'trafficDay' ? today(tx, at) : tx`date_trunc('month', ${today(tx, at)})::date`
  await observeLevel(
    tx,
    kind,
    tx`cross join lateral (select coalesce(sum(t.rx_bytes + t.tx_bytes), 0) as bytes from traffic_days t
      where t.device_id = d.id and t.day between ${first} and ${today(tx, at)}
        -- As in every list: the day on which a device changed its customer counts in no one's traffic.
        and (d.owned_since is null or t.day > (d.owned_since at time zone 'UTC')::date)) m`,
    tx`m.bytes / ${unit}::float8`,
  )
}

export const trafficDayObserver = observes('trafficDay', ({ tx, at }) => observeTraffic(tx, 'trafficDay', at))
export const trafficMonthObserver = observes('trafficMonth', ({ tx, at }) =>
  observeTraffic(tx, 'trafficMonth', at),
)
