import { boolean, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { at, serialId } from './columns.ts'
import { BY_PEOPLE, kept } from './kept.ts'

/** N2n supernodes; their state is written by the job `watchN2nServers`. */
export const n2nServers = pgTable(
  'n2n_servers',
  {
    id: serialId('id'),
    name: text('name').notNull(),
    /** Host name or IPv4 address for edges. */
    address: text('address').notNull(),
    port: integer('port').notNull(),
    version: integer('version').notNull(),
    /** null: not monitored. */
    managementPort: integer('management_port'),
    /** Address of the management port, if it is not `address`: supernodes bind it to loopback. */
    managementAddress: text('management_address'),
    /** SHA-256 (hex) of the token with which the supernode's host fetches its community list. */
    tokenHash: text('token_hash').notNull(),
    /** When the list was last fetched with that token. */
    fetchedAt: at('fetched_at'),
    /** null: not known yet, or not monitored. */
    up: boolean('up'),
    checkedAt: at('checked_at'),
    lastSeenAt: at('last_seen_at'),
    startedAt: at('started_at'),
    edges: integer('edges'),
    checkError: text('check_error'),
    createdBy: integer('created_by'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (t) => [uniqueIndex('n2n_servers_port_unique').on(t.port), index('n2n_servers_name').on(t.name)],
)
export const n2nServersKept = kept(n2nServers, BY_PEOPLE)
