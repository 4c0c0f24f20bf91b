import type { AlarmRow } from './alarm-chips.tsx'

export type AlarmGroup<R> = { readonly key: string; readonly title: string; readonly rows: readonly R[] }
type Grouped = Pick<
  AlarmRow,
  'deviceId' | 'taskId' | 'sn' | 'deviceName' | 'ruleId' | 'ruleName' | 'customerName'
>

const deviceKey = ({ deviceId, taskId, sn, deviceName }: Grouped) =>
  deviceId === null ? `task ${taskId ?? (sn || deviceName)}` : String(deviceId)
const ruleKey = ({ ruleId, ruleName }: Grouped) => String(ruleId ?? ruleName)

/**
 * Groups in the order of their first row, so that the newest stays first. Names of devices and rules need not be
 * unique: where two groups have the same, the serial number or the customer tells them apart.
 */
export function groupAlarms<R extends Grouped>(
  rows: readonly R[],
  by: string,
  ruleTitle: (row: R) => string,
): AlarmGroup<R>[] {
  if (by !== 'device' && by !== 'rule') return [{ key: '', title: '', rows }]
  const byDevice = by === 'device'
  const groups = [...Map.groupBy(rows, byDevice ? deviceKey : ruleKey)].flatMap(([key, list]) => {
    const [first] = list
    if (!first) return []
    const title = byDevice ? first.deviceName : ruleTitle(first)
    return [{ key, title, apart: byDevice ? first.sn : first.customerName, rows: list }]
  })
  const titles = Map.groupBy(groups, ({ title }) => title)
  return groups.map(({ key, title, apart, rows: list }) => ({
    key,
    title: apart && (titles.get(title)?.length ?? 0) > 1 ? `${title} · ${apart}` : title,
    rows: list,
  }))
}
