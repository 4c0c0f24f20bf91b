/**
 * Metrics of uplinks. The kernel keeps one default route of each metric: a second uplink replaces that of the first, and
 * takes it away when it goes down, although the first one works.
 */
import { packageOf, saidBy, textOf } from '../bind.ts'
import type { UciDoc, UciSection } from '../uci.ts'

/** Interfaces over which a device may reach the platform, by their usual names. */
export const UPLINKS = /^(wan\d*|wwan\d*|modem\d*)$/

const IPV6_ONLY = ['dhcpv6', '6in4', '6rd', '6to4']
const said = (section: UciSection, option: string) => textOf(saidBy(section, option))

/** The only words that netifd reads as yes and no: an option with any other counts as not set. */
export const isYes = (section: UciSection, option: string): boolean =>
  ['1', 'true'].includes(said(section, option))
export const isNo = (section: UciSection, option: string): boolean =>
  ['0', 'false'].includes(said(section, option))

export const metricOf = (section: UciSection): number => Number(said(section, 'metric')) || 0

/** Whether its IPv4 default route is one of the main table. */
export const routesIpv4 = (section: UciSection): boolean =>
  !IPV6_ONLY.includes(said(section, 'proto')) &&
  said(section, 'ip4table') === '' &&
  !isNo(section, 'defaultroute') &&
  (said(section, 'proto') !== 'static' || said(section, 'gateway') !== '')

/** A metric behind those of all other uplinks. */
export function freeMetric(doc: UciDoc): number {
  const used = packageOf(doc, 'network')
    .sections.filter(({ type, name }) => type === 'interface' && UPLINKS.test(name ?? ''))
    .map(metricOf)
  return Math.floor(Math.max(0, ...used) / 10) * 10 + 10
}
