import { Facts } from '../kit/facts.tsx'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { Mono } from '../kit/mono.tsx'
import { StatusChip } from '../kit/status-chip.tsx'
import type { Device } from './device-actions.tsx'
import classes from './device-detail.module.css'
import { NotReported, SectionCard, type Sections } from './device-section.tsx'
import { simTones } from './sim-state.ts'

type Slot = NonNullable<Sections['mobile']>['value'][number]
const unit = (value: number | undefined, text: string) =>
  value === undefined ? null : `${number(value)} ${text}`

function MobileFacts({ slot, device }: { slot: Slot; device: Device }) {
  return (
    <Facts
      width={140}
      facts={[
        {
          label: t('detail:mobile.sim'),
          value: <StatusChip tone={simTones[slot.state]} label={t(`device:sim.${slot.state}`)} />,
        },
        { label: t('device:network.operator'), value: slot.operator },
        { label: t('device:column.networkMode'), value: slot.networkMode },
        { label: 'APN', value: slot.apn },
        { label: t('device:column.ip'), value: <Mono value={slot.ip} /> },
        { label: 'RSSI', value: unit(slot.signalDbm, 'dBm') },
        { label: 'RSRP', value: unit(slot.rsrpDbm, 'dBm') },
        { label: 'RSRQ', value: unit(slot.rsrqDb, 'dB') },
        { label: 'SINR', value: unit(slot.sinrDb, 'dB') },
        {
          label: t('detail:mobile.roaming'),
          value: slot.roaming === undefined ? null : t(slot.roaming ? 'detail:yes' : 'detail:no'),
        },
        { label: 'IMEI', value: <Mono value={device.imei} /> },
        { label: 'IMSI', value: <Mono value={slot.imsi} /> },
        { label: 'ICCID', value: <Mono value={slot.iccid} />, long: true },
        { label: t('detail:mobile.phone'), value: <Mono value={slot.phone} /> },
      ]}
    />
  )
}

type Props = { device: Device; mobile: Sections['mobile']; station: Sections['station'] }

/** [§2] mobile wan1/wan2 and the base station. Nothing for a wired device, which has none. */
export function DeviceMobile({ device, mobile, station }: Props) {
  if (!mobile) return null
  const cell = station?.value
  return (
    <>
      <div className={classes['mobiles']}>
        {mobile.value.map((slot) => (
          <SectionCard
            key={slot.slot}
            title={t('detail:mobile.title', { slot: slot.slot })}
            at={mobile.at}
            side={slot.active ? <StatusChip tone="online" label={t('detail:mobile.active')} /> : null}
          >
            {slot.state === 'absent' ? (
              <StatusChip tone="offline" label={t('device:sim.absent')} />
            ) : (
              <MobileFacts slot={slot} device={device} />
            )}
          </SectionCard>
        ))}
      </div>
      <SectionCard title={t('detail:station.title')} at={station?.at}>
        {cell ? (
          <Facts
            width={140}
            facts={[
              { label: 'PLMN', value: <Mono value={cell.plmn} /> },
              {
                label: 'TAC / LAC',
                value: cell.area === undefined ? null : <Mono value={String(cell.area)} />,
              },
              {
                label: t('detail:station.cell'),
                value: cell.cell === undefined ? null : <Mono value={String(cell.cell)} />,
              },
              { label: 'PCI', value: cell.pci },
              { label: t('detail:station.band'), value: cell.band },
              { label: 'ARFCN', value: cell.channel },
            ]}
          />
        ) : (
          <NotReported />
        )}
      </SectionCard>
    </>
  )
}
