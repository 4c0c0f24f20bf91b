import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  check,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { loginTypes } from '../group/group-remote.ts'
import { approvalPolicies } from '../remote/access-policy.ts'
import { at, nameKey, serialId } from './columns.ts'
import { customers } from './customer.ts'
import { BY_PEOPLE, kept } from './kept.ts'
import { n2nServers } from './n2n-server.ts'

export const groups = pgTable(
  'groups',
  {
    id: serialId('id'),
    customerId: integer('customer_id')
      .notNull()
      .references(() => customers.id),
    parentId: integer('parent_id').references((): AnyPgColumn => groups.id),
    level: integer('level').notNull(),
    name: text('name').notNull(),
    isDefault: boolean('is_default').notNull().default(false),
    /** The responsible user, of the same customer or the platform. Users refer to groups: the reference is in by-hand.sql. */
    ownerId: integer('owner_id'),
    /** The n2n community, and its user name. */
    remoteAccount: text('remote_account'),
    /** Encrypted: it must be shown for configuring edges. */
    remotePassword: text('remote_password'),
    /** The public key that n2n derives from account and password; given to supernodes. */
    remoteKey: text('remote_key'),
    remoteIp: text('remote_ip'),
    maskBits: integer('mask_bits'),
    bridged: boolean('bridged').notNull().default(false),
    loginType: text('login_type', { enum: loginTypes }).notNull().default('disallow'),
    loginNum: integer('login_num').notNull().default(1),
    n2nServerId: integer('n2n_server_id').references(() => n2nServers.id),
    /** Edges in its community in the supernode's last report; null: unknown. */
    remoteLogins: integer('remote_logins'),
    /** Monthly mobile data plan of its devices; null: that of the group above. */
    dataPlanMb: integer('data_plan_mb'),
    /** Whether sessions of its devices need a second person's approval. */
    remoteApproval: text('remote_approval', { enum: approvalPolicies }).notNull().default('inherit'),
    /**
     * Machines behind its devices that sessions may reach; null: the setting of the group above, finally that of the
     * customer.
     */
    remoteTargets: text('remote_targets'),
    createdAt: at('created_at').notNull().defaultNow(),
    createdBy: integer('created_by'),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('groups_name').on(t.customerId, nameKey(t.name)),
    index('groups_order').on(t.name, t.id),
    index('groups_parent').on(t.parentId),
    uniqueIndex('groups_remote_account').on(sql`lower(${t.remoteAccount})`),
    index('groups_n2n_server').on(t.n2nServerId),
    index('groups_owner').on(t.ownerId),
    check('groups_level', sql`${t.level} between 1 and 3`),
  ],
)
export const groupsKept = kept(groups, BY_PEOPLE)
