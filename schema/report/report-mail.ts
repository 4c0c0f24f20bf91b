/** A mailed report: subject, text and CSV files in the language of its schedule. */
import { BOM, csvLine } from '../kit/csv.ts'
import { bandNames } from '../kit/figure.ts'
import type { ServerSay } from '../kit/say.ts'
import type { Key, ServerKey } from '../kit/words.gen.ts'
import type { MailFile } from '../platform/mail.ts'
import type { ReportKind } from './report.ts'
import { averageDbm, bandPercent, bucketPercent, dbm, type Figures, onlinePercent } from './report-figures.ts'
import { type Frame, stepSeconds } from './report-frame.ts'

const titles = {
  time: 'report:time',
  group: 'report:group',
  customer: 'device:column.customerName',
  devices: 'report:devices',
  percent: 'online-report:ratePercent',
  rx: 'traffic-report:receivedBytes',
  tx: 'traffic-report:sentBytes',
  average: 'report:csv.averageDbm',
  min: 'signal-report:minDbm',
  max: 'signal-report:maxDbm',
  excellent: 'report:csv.excellent',
  good: 'report:csv.good',
  fair: 'report:csv.fair',
  poor: 'report:csv.poor',
  model: 'report:model',
  firmware: 'version-report:firmware',
} as const satisfies Record<string, Key | ServerKey>
type Title = keyof typeof titles

/** `seconds`: of a bucket; without it the row is the sum of them all. */
type Column = {
  title: Title
  of: (row: Figures & { devices: number | null }, seconds?: number) => number | null
}
const columns: Record<Exclude<ReportKind, 'version'>, readonly Column[]> = {
  online: [
    {
      title: 'percent',
      of: (row, seconds) => (seconds === undefined ? onlinePercent(row) : bucketPercent(row, seconds)),
    },
    { title: 'devices', of: (row) => row.devices },
  ],
  traffic: [
    { title: 'rx', of: (row) => row.rxBytes },
    { title: 'tx', of: (row) => row.txBytes },
  ],
  signal: [
    { title: 'average', of: (row) => averageDbm(row.signalSum, row.signalDevices) },
    { title: 'min', of: (row) => dbm(row.signalMin) },
    { title: 'max', of: (row) => dbm(row.signalMax) },
    ...bandNames.map((band) => ({ title: band, of: (row: Figures) => bandPercent(row, band) })),
  ],
}

const file = (name: string, lines: readonly (readonly unknown[])[]): MailFile => ({
  name: `${name}.csv`,
  mime: 'text/csv; charset=utf-8',
  text: BOM + lines.map(csvLine).join(''),
})

/** `2026-11-21 14:00` in the zone. */
export function zonedText(at: number, zone: string): string {
  const text = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
  }).format(at)
  return text.slice(0, 16)
}

/** The first line of every file: report, range and zone. */
export type ReportHead = { report: ReportKind; from: number; to: number; zone: string }
const headLine = (say: ServerSay, { report, zone, ...span }: ReportHead) => [
  say(`report:name.${report}`),
  periodText(span, zone),
  zone,
]
/** Versions are of one moment. */
const periodText = ({ from, to }: { from: number; to: number }, zone: string) =>
  from === to ? zonedText(to, zone) : `${zonedText(from, zone)} – ${zonedText(to, zone)}`

export type SeriesRow = Figures & { atMs: number; devices: number | null }
export type GroupRow = Figures & { groupName: string; customerName: string; devices: number | null }

/** Two tables: over time, and by group. */
export function seriesFiles(
  say: ServerSay,
  head: ReportHead & { report: Exclude<ReportKind, 'version'> },
  {
    series,
    groups,
    step,
  }: { series: readonly SeriesRow[]; groups: readonly GroupRow[]; step: Frame['step'] },
): MailFile[] {
  const { report, zone } = head
  const shown = columns[report]
  const heads = shown.map(({ title }) => say(titles[title]))
  const cells = (row: Figures & { devices: number | null }, seconds?: number) =>
    shown.map(({ of }) => of(row, seconds))
  const name = (title: Title) => say(titles[title])
  return [
    file(report, [
      headLine(say, head),
      [`${name('time')} (${zone})`, ...heads],
      ...series.map((row) => [
        zonedText(row.atMs, zone).slice(0, step === 'day' ? 10 : 16),
        ...cells(row, Math.min(stepSeconds[step], (head.to - row.atMs) / 1000)),
      ]),
    ]),
    file(`${report}-groups`, [
      headLine(say, head),
      [name('group'), name('customer'), ...heads],
      ...groups.map((row) => [row.groupName, row.customerName, ...cells(row)]),
    ]),
  ]
}

export const versionFiles = (
  say: ServerSay,
  head: ReportHead,
  rows: readonly { model: string; firmware: string; devices: number }[],
): MailFile[] => [
  file('versions', [
    headLine(say, head),
    [say(titles.model), say(titles.firmware), say(titles.devices)],
    ...rows.map((row) => [row.model, row.firmware, row.devices]),
  ]),
]

export function mailText(
  say: ServerSay,
  mail: { name: string; report: ReportKind; from: number; to: number; zone: string; owner: string },
): { subject: string; text: string } {
  const { name, zone, owner } = mail
  const report = say(`report:name.${mail.report}`)
  return {
    subject: `${name} · ${report}`,
    text: say('report-schedule:mail', { name, report, period: periodText(mail, zone), zone, owner }),
  }
}
