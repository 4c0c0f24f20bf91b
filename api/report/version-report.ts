import { getVersionReport, VERSIONS_SHOWN } from '#schema/report/version-report'
import {
  currentVersionsSql,
  fleetVersionsSql,
  type VersionCount,
  type VersionDay,
  versionDaysSql,
} from '#schema/tables/report-versions'
import { handler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { askFrame } from './report-run.ts'

const DAY_MS = 86_400_000
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** The most frequent firmwares, the others as `*`. */
function historyOf(days: readonly string[], rows: readonly VersionDay[]) {
  const sums = new Map<string, number>()
  for (const { firmware, devices } of rows) sums.set(firmware, (sums.get(firmware) ?? 0) + devices)
  const versions = [...sums.keys()].sort(
    (a, b) => (sums.get(b) ?? 0) - (sums.get(a) ?? 0) || a.localeCompare(b),
  )
  // A single one has its name: `*` stands for two or more.
  const shown = versions.length > VERSIONS_SHOWN + 1 ? versions.slice(0, VERSIONS_SHOWN) : versions
  const firmwares = versions.length > shown.length ? [...shown, '*'] : shown
  const counted = new Set(rows.map((row) => row.day))
  const cells = new Map<string, number>()
  for (const { day, firmware, devices } of rows) {
    const name = `${day} ${shown.includes(firmware) ? firmware : '*'}`
    cells.set(name, (cells.get(name) ?? 0) + devices)
  }
  const history = firmwares.map((firmware) =>
    days.map((day) => (counted.has(day) ? (cells.get(`${day} ${firmware}`) ?? 0) : null)),
  )
  return { firmwares, history }
}

export const getVersionReportHandler = handler(getVersionReport, async (ctx, body) => {
  const frame = await askFrame(ctx, body)
  const scope = visible(ctx.actor).reports
  const from = Math.floor(frame.from / DAY_MS) * DAY_MS
  const to = Math.ceil(Math.min(frame.to, ctx.now().getTime() + 1) / DAY_MS) * DAY_MS
  const days = Array.from({ length: (to - from) / DAY_MS }, (_, i) => dayOf(from + i * DAY_MS))
  const [current, fleet, rows] = await Promise.all([
    ctx.db.execute<VersionCount>(currentVersionsSql(scope, body)),
    ctx.db.execute<{ firmware: string }>(fleetVersionsSql(scope)),
    // Daily counts exist for groups, not for devices.
    body.deviceId === undefined
      ? ctx.db.execute<VersionDay>(versionDaysSql(scope, body, dayOf(from), dayOf(to)))
      : [],
  ])
  return {
    from: new Date(from),
    to: new Date(to),
    versions: fleet.map(({ firmware }) => firmware),
    current: [...current],
    days,
    ...historyOf(days, [...rows]),
  }
})
