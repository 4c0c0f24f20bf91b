/** A mailed report: subject, text and CSV files in the language of its schedule. */
import { BOM, csvLine } from '../kit/csv.ts'
import type { Language } from '../kit/refusal.ts'
import type { MailFile } from '../platform/mail.ts'
import { bandNames, type ReportKind } from './report.ts'
import { averageDbm, bandPercent, dbm, type Figures, onlinePercent } from './report-figures.ts'

const inLanguage = (zhCN: string, zhTW: string, enUS: string): Record<Language, string> => ({
  'zh-CN': zhCN,
  'zh-TW': zhTW,
  'en-US': enUS,
})
export const reportNames: Record<ReportKind, Record<Language, string>> = {
  online: inLanguage('在线率报表', '上線率報表', 'Online rate'),
  traffic: inLanguage('流量报表', '流量報表', 'Traffic'),
  signal: inLanguage('信号报表', '訊號報表', 'Signal'),
  version: inLanguage('软件版本报表', '軟體版本報表', 'Software versions'),
}
const titles = {
  time: inLanguage('时间', '時間', 'Time'),
  group: inLanguage('分组', '群組', 'Group'),
  customer: inLanguage('客户', '客戶', 'Customer'),
  devices: inLanguage('设备数', '裝置數', 'Devices'),
  percent: inLanguage('在线率 (%)', '上線率 (%)', 'Online rate (%)'),
  rx: inLanguage('接收 (字节)', '接收 (位元組)', 'Received (bytes)'),
  tx: inLanguage('发送 (字节)', '傳送 (位元組)', 'Sent (bytes)'),
  average: inLanguage('平均信号 (dBm)', '平均訊號 (dBm)', 'Average signal (dBm)'),
  min: inLanguage('最低 (dBm)', '最低 (dBm)', 'Lowest (dBm)'),
  max: inLanguage('最高 (dBm)', '最高 (dBm)', 'Highest (dBm)'),
  excellent: inLanguage('优 (%)', '優 (%)', 'Excellent (%)'),
  good: inLanguage('良 (%)', '良 (%)', 'Good (%)'),
  fair: inLanguage('中 (%)', '中 (%)', 'Fair (%)'),
  poor: inLanguage('差 (%)', '差 (%)', 'Poor (%)'),
  model: inLanguage('产品型号', '產品型號', 'Model'),
  firmware: inLanguage('软件版本', '軟體版本', 'Firmware'),
} as const
type Title = keyof typeof titles

type Column = { title: Title; of: (row: Figures & { devices: number | null }) => number | null }
const columns: Record<Exclude<ReportKind, 'version'>, readonly Column[]> = {
  online: [
    { title: 'percent', of: onlinePercent },
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

/** `2026-11-21 14:00` as the zone's clocks show it. */
export function zonedText(at: number, zone: string): string {
  const text = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
  }).format(at)
  return text.slice(0, 16)
}

/** The first line of every file: which report, of what time, by which clocks. */
export type ReportHead = { report: ReportKind; from: number; to: number; zone: string }
const headLine = (language: Language, { report, from, to, zone }: ReportHead) => [
  reportNames[report][language],
  `${zonedText(from, zone)} – ${zonedText(to, zone)}`,
  zone,
]

export type SeriesRow = Figures & { atMs: number; devices: number | null }
export type GroupRow = Figures & { groupName: string; customerName: string; devices: number | null }

/** Two tables: over time, and by group. */
export function seriesFiles(
  language: Language,
  head: ReportHead & { report: Exclude<ReportKind, 'version'> },
  { series, groups, days }: { series: readonly SeriesRow[]; groups: readonly GroupRow[]; days: boolean },
): MailFile[] {
  const { report, zone } = head
  const told = columns[report]
  const heads = told.map(({ title }) => titles[title][language])
  const cells = (row: Figures & { devices: number | null }) => told.map(({ of }) => of(row))
  const name = (title: Title) => titles[title][language]
  return [
    file(report, [
      headLine(language, head),
      [`${name('time')} (${zone})`, ...heads],
      ...series.map((row) => [zonedText(row.atMs, zone).slice(0, days ? 10 : 16), ...cells(row)]),
    ]),
    file(`${report}-groups`, [
      headLine(language, head),
      [name('group'), name('customer'), ...heads],
      ...groups.map((row) => [row.groupName, row.customerName, ...cells(row)]),
    ]),
  ]
}

export const versionFiles = (
  language: Language,
  head: ReportHead,
  rows: readonly { model: string; firmware: string; devices: number }[],
): MailFile[] => [
  file('versions', [
    headLine(language, head),
    [titles.model[language], titles.firmware[language], titles.devices[language]],
    ...rows.map((row) => [row.model, row.firmware, row.devices]),
  ]),
]

const bodies = inLanguage(
  '定时报表“{name}”：{report}，{from} 至 {to}（{zone}）。数据见附件。\n\n由 {owner} 设置；如需停止，请在报表页面的“定时发送”中关闭。',
  '排程報表「{name}」：{report}，{from} 至 {to}（{zone}）。資料請見附件。\n\n由 {owner} 設定；如需停止，請在報表頁面的「排程寄送」中關閉。',
  'Scheduled report "{name}": {report}, {from} to {to} ({zone}). The figures are attached.\n\nSet up by {owner}; to stop it, switch it off under "Scheduled" on the report\'s page.',
)

export function mailText(
  language: Language,
  told: { name: string; report: ReportKind; from: number; to: number; zone: string; owner: string },
): { subject: string; text: string } {
  const report = reportNames[told.report][language]
  const values: Record<string, string> = {
    ...told,
    report,
    from: zonedText(told.from, told.zone),
    to: zonedText(told.to, told.zone),
  }
  return {
    subject: `${told.name} · ${report}`,
    text: bodies[language].replace(/\{(\w+)\}/g, (whole, key: string) => values[key] ?? whole),
  }
}
