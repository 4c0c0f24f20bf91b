import { furnish } from '../furnish.ts'

export const furnishPrinter = furnish(async ({ sql }, tenant) => {
  const [printer] = await sql<{ id: number }[]>`
    insert into printers (device_id, local_id, alias, status, status_at, present, method, port, success_count, fail_count)
    values (${tenant.devices[0]?.id ?? 0}, 'usb-1', ${`${tenant.name} printer`}, 'ready', now(), false, 'usb', '/dev/usb/lp0', 7, 1) returning id`
  return {
    own: {
      'printer/modifyPrinter': { id: printer?.id },
      'printer/deletePrinter': { id: printer?.id },
    },
  }
})

/** Drivers belong to the installation: users who may edit them may edit each. */
export const furnishDriver = furnish(async ({ sql }, tenant) => {
  const [driver] = await sql<{ id: number }[]>`
    insert into printer_drivers (address, type, sign) values ('/drivers/x', 'common', ${`sign-${tenant.groups.root}`}) returning id`
  return {
    own: {
      'printer/modifyPrinterDriver': { id: driver?.id },
      'printer/deletePrinterDriver': { id: driver?.id },
    },
  }
})
