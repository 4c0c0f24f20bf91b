/** Shared parts of reports over time, below and beside their charts. */
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { reportDevice, reportGroup } from '#schema/report/report'
import classes from '../device/device.module.css'
import { detailLink } from '../device/device-options.ts'
import { Card } from '../kit/card.tsx'
import { NoChart } from '../kit/chart/chart.tsx'
import { moment, number, percent } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { Mono } from '../kit/mono.tsx'
import { PageLink } from '../kit/page-link.tsx'
import targets from './report.module.css'
import type { ReportState } from './report-state.ts'
import { ReportTable, type TableColumn } from './report-table.tsx'

type Wire<T> = { [K in keyof T]: T[K] extends { _zod: { output: infer O } } ? O : never }
export type GroupRow = Wire<typeof reportGroup>
export type DeviceRow = Wire<typeof reportDevice>

type FrameReply = { at: readonly string[]; step: 'tenMinutes' | 'hour' | 'day'; zone: string; from: string }

const two = (n: number) => String(n).padStart(2, '0')
const localDay = (at: string) => {
  const d = new Date(at)
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}`
}

/** The labels of the buckets, and a note if days are not the viewer's. */
export function frameView({ at, step, zone }: FrameReply, asked: string) {
  const days = step === 'day'
  const utc = zone === 'UTC'
  return {
    at: days ? at.map((one) => (utc ? one.slice(0, 10) : localDay(one))) : at,
    days,
    zone: days ? zone : asked,
    note: days && utc && asked !== 'UTC' ? t('report:utcDays') : undefined,
  }
}

/** "+3.2 %" against the period before. */
export function changeText(now: number | null, before: number | null): string | undefined {
  if (now === null || before === null || before === 0) return undefined
  const change = ((now - before) / Math.abs(before)) * 100
  return t('report:change', { change: `${change > 0 ? '+' : ''}${percent(change, 1)}` })
}

type Props<G extends GroupRow, D extends DeviceRow> = {
  reply: { groups: readonly G[]; devices: readonly D[]; devicesFrom: string; devicesTo: string }
  devicesTitle: string
  /** Instead of an empty list of devices. */
  noDevices?: string
  groupColumns: readonly TableColumn<G>[]
  deviceColumns: readonly TableColumn<D>[]
  pick: (groupId: number) => string
}

/** Groups and devices, worst (or busiest) first. Each row links to the page for handling it. */
export function ReportLists<G extends GroupRow, D extends DeviceRow>(props: Props<G, D>): ReactNode {
  const { groups, devices, devicesFrom, devicesTo } = props.reply
  const several = new Set(groups.map(({ customerName }) => customerName)).size > 1
  const day = (at: string) => moment(at).slice(0, 16)
  return (
    <div className={classes['halves']}>
      <Card title={t('report:byGroup')}>
        {groups.length === 0 ? (
          <NoChart height={120} />
        ) : (
          <ReportTable
            label={t('report:byGroup')}
            rows={groups}
            rowKey={({ groupId }) => groupId}
            columns={[
              {
                title: t('report:group'),
                cell: ({ groupId, groupName, customerName }) => (
                  <>
                    <Link to={props.pick(groupId)}>{groupName}</Link>
                    {several ? ` · ${customerName}` : ''}
                  </>
                ),
              },
              { title: t('report:devices'), numeric: true, cell: ({ devices: count }) => number(count) },
              ...props.groupColumns,
            ]}
          />
        )}
      </Card>
      <Card
        title={props.devicesTitle}
        side={
          <span style={{ fontSize: 12, fontWeight: 400, color: 'var(--text-3)' }}>
            {day(devicesFrom)} – {day(devicesTo)}
          </span>
        }
      >
        {devices.length === 0 ? (
          <NoChart height={120} text={props.noDevices} />
        ) : (
          <ReportTable
            label={props.devicesTitle}
            rows={devices}
            rowKey={({ deviceId }) => deviceId}
            columns={[
              {
                title: t('report:device'),
                cell: (row) => (
                  <>
                    <PageLink className={targets['device'] ?? ''} to={detailLink(row)}>
                      {row.deviceName}
                    </PageLink>
                    <div className={targets['deviceSn']}>
                      <Mono value={row.deviceSn} />
                    </div>
                  </>
                ),
              },
              ...props.deviceColumns,
            ]}
          />
        )}
      </Card>
    </div>
  )
}

/** The same report of one group, of the same models, and shown in the same way. */
export const groupPath =
  (path: string, state: Omit<ReportState, 'groupId' | 'deviceId' | 'zoom'>) =>
  (groupId: number): string => {
    const query = new URLSearchParams({ range: state.range, groupId: String(groupId) })
    if (state.model) query.set('model', state.model)
    for (const name of ['previous', 'table'] as const) if (state[name]) query.set(name, 'true')
    if (state.range === 'custom') {
      query.set('from', state.from)
      query.set('to', state.to)
    }
    return `${path}?${query}`
  }
