import { getTableColumns, or, sql } from 'drizzle-orm'
import { deviceObject } from '#schema/device/device-object'
import { devices } from '#schema/tables/device'
import { schedules } from '#schema/tables/schedule'
import { stored } from '../kit/stored.ts'

export const storedDevice = stored({
  object: deviceObject,
  table: devices,
  id: devices.id,
  name: devices.sn,
  customerId: devices.customerId,
  deviceId: devices.id,
  seen: (walls) => walls.devices,
  nameable: (walls) => or(walls.devices, walls.unusualDevices),
  row: () => ({
    ...getTableColumns(devices),
    online: sql<boolean | null>`(select s.online from device_states s where s.device_id = ${devices.id})`,
  }),
  parts: {
    main: {
      table: devices,
      id: devices.id,
      fields: {
        deviceName: devices.name,
        address: devices.address,
        dataPlanMb: sql<number>`coalesce(${devices.dataPlanMb}, 0)`,
      },
    },
    /** Separate parts: renaming a device does not conflict with moving its pin. */
    pin: {
      table: devices,
      id: devices.id,
      fields: { longitude: devices.longitude, latitude: devices.latitude },
    },
    schedule: {
      table: schedules,
      id: schedules.deviceId,
      fields: {
        enabled: schedules.enabled,
        kind: schedules.kind,
        date: schedules.date,
        time: schedules.time,
        weekdays: schedules.weekdays,
        timeZone: schedules.timeZone,
      },
    },
  },
  facts: { group: sql.raw('(select g.name from groups g where g.id = devices.group_id)') },
})
