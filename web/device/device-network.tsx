import { SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import { deviceSmsPermission } from '#schema/device/commands/sms'
import { Card } from '../kit/card.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { type Fact, Facts } from '../kit/facts.tsx'
import { bytes, duration, number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { Mono } from '../kit/mono.tsx'
import { can } from '../kit/session.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import { DevicePortal } from '../portal/device-portal.tsx'
import classes from './device.module.css'
import type { Device } from './device-actions.tsx'
import { DeviceHosts } from './device-hosts.tsx'
import { DeviceInterfaces } from './device-interfaces.tsx'
import { DeviceMessages } from './device-messages.tsx'
import { DeviceMobile } from './device-mobile.tsx'
import { DeviceProbes } from './device-probes.tsx'
import { NotReported, SectionCard, type Sections, useSections } from './device-section.tsx'

const DEGREES = 6
const mono = (value: string | null | undefined): ReactNode => <Mono value={value} />
const unit = (value: number | null | undefined, text: string) =>
  value === null || value === undefined ? null : `${number(value)} ${text}`

function Up({ up }: { up: boolean }) {
  return (
    <StatusChip
      tone={up ? 'online' : 'offline'}
      label={t(up ? 'device:network.up' : 'device:network.down')}
    />
  )
}

function Wan({ reported }: { reported: Sections['wan'] }) {
  return (
    <SectionCard title={t('detail:wan.title')} at={reported?.at}>
      {reported && reported.value.length > 0 ? (
        reported.value.map((one) => (
          <Facts
            key={one.name}
            facts={[
              { label: t('device:network.name'), value: mono(one.name) },
              { label: t('device:column.state'), value: <Up up={one.up} /> },
              { label: t('detail:wan.protocol'), value: one.protocol?.toUpperCase() },
              { label: t('device:column.ip'), value: mono(one.ip) },
              { label: t('detail:wan.netmask'), value: mono(one.netmask) },
              { label: t('detail:wan.gateway'), value: mono(one.gateway) },
              { label: 'DNS', value: one.dns?.join(', ') },
              { label: 'MAC', value: mono(one.mac) },
              { label: t('detail:wan.speed'), value: unit(one.speedMbps, 'Mbit/s') },
              { label: t('detail:wan.since'), value: one.upS === undefined ? null : duration(one.upS) },
              { label: t('device:traffic.received'), value: bytes(one.rxBytes) },
              { label: t('device:traffic.sent'), value: bytes(one.txBytes) },
            ]}
          />
        ))
      ) : (
        <NotReported />
      )}
    </SectionCard>
  )
}

function lanFacts(lan: NonNullable<Sections['lan']>['value']): Fact[] {
  const pool = [lan.dhcpFrom, lan.dhcpTo].filter(Boolean).join(' – ')
  return [
    { label: t('device:column.ip'), value: mono(lan.ip) },
    { label: t('detail:wan.netmask'), value: mono(lan.netmask) },
    { label: 'MAC', value: mono(lan.mac) },
    {
      label: t('detail:lan.dhcp'),
      value: lan.dhcp === undefined ? null : t(lan.dhcp ? 'detail:on' : 'detail:off'),
    },
    { label: t('detail:lan.pool'), value: pool },
    { label: t('detail:lan.lease'), value: lan.leaseS === undefined ? null : duration(lan.leaseS) },
    ...(lan.ports ?? []).map(({ name, up, speedMbps }) => ({
      label: name,
      value: (
        <StatusChip
          tone={up ? 'online' : 'offline'}
          label={up ? (unit(speedMbps, 'Mbit/s') ?? t('device:network.up')) : t('device:network.down')}
        />
      ),
    })),
  ]
}

function Wifi({ reported }: { reported: Sections['wifi'] }) {
  return (
    <SectionCard title={t('detail:wifi.title')} at={reported?.at}>
      {reported && reported.value.length > 0 ? (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          {reported.value.map((one) => (
            <Facts
              key={`${one.ssid} ${one.band} ${one.mac}`}
              facts={[
                { label: 'SSID', value: one.ssid },
                { label: t('device:column.state'), value: <Up up={one.up} /> },
                {
                  label: t('detail:wifi.band'),
                  value: [one.band, one.channel === undefined ? null : `# ${one.channel}`]
                    .filter(Boolean)
                    .join(' '),
                },
                { label: t('detail:wifi.security'), value: one.security },
                { label: 'BSSID', value: mono(one.mac) },
                { label: t('detail:wifi.clients'), value: number(one.clients) },
              ]}
            />
          ))}
        </SimpleGrid>
      ) : (
        <NotReported />
      )}
    </SectionCard>
  )
}

function Position({ device }: { device: Device }) {
  return (
    <Card title="GPS">
      <Facts
        facts={[
          { label: t('device:network.longitude'), value: number(device.longitude, DEGREES) },
          { label: t('device:network.latitude'), value: number(device.latitude, DEGREES) },
          {
            label: t('device:network.source'),
            value: device.positionSource ? t(`device:network.${device.positionSource}`) : null,
          },
          { label: t('device:column.address'), value: device.address },
        ]}
      />
    </Card>
  )
}

/** [§2] Wired WAN, mobile wan1/wan2, base station, wired LAN, wireless, GPS, hanging devices, network monitoring. */
export function DeviceNetwork({ device }: { device: Device }) {
  const sections = useSections(device.deviceId)
  const reported = sections.data
  return (
    <div className={classes['stack']}>
      <ReadBar read={sections} />
      <DeviceProbes deviceId={device.deviceId} />
      {reported ? (
        <>
          <DeviceMobile device={device} mobile={reported.mobile} station={reported.station} />
          {reported.mobile && can(deviceSmsPermission) ? <DeviceMessages device={device} /> : null}
          <div className={classes['halves']}>
            <Wan reported={reported.wan} />
            <SectionCard title={t('detail:lan.title')} at={reported.lan?.at}>
              {reported.lan ? <Facts facts={lanFacts(reported.lan.value)} /> : <NotReported />}
            </SectionCard>
          </div>
          <div className={classes['halves']}>
            <Wifi reported={reported.wifi} />
            <Position device={device} />
          </div>
          <DeviceHosts reported={reported.hosts} />
        </>
      ) : null}
      <DevicePortal deviceId={device.deviceId} />
      <DeviceInterfaces device={device} />
    </div>
  )
}
