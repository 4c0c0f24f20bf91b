import { getTableColumns, sql } from 'drizzle-orm'
import { customerObject } from '#schema/people/customer-object'
import { customers } from '#schema/tables/customer'
import { stored } from '../kit/stored.ts'

export const storedCustomer = stored({
  object: customerObject,
  table: customers,
  id: customers.id,
  name: customers.name,
  customerId: customers.id,
  seen: (walls) => walls.customers,
  row: () => getTableColumns(customers),
  parts: {
    main: {
      table: customers,
      id: customers.id,
      fields: {
        name: customers.name,
        contact: customers.contact,
        phone: customers.phone,
        email: customers.email,
        address: customers.address,
        serviceType: customers.serviceType,
        logo: customers.logo,
        copyright: customers.copyright,
        totpRequired: customers.totpRequired,
        terminalRecording: customers.terminalRecording,
        remoteTargets: sql<string>`coalesce(${customers.remoteTargets}, '')`,
      },
    },
  },
})
