import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { packageTypes, visibilities } from '../task/package.ts'
import { at, bytes, serialId } from './columns.ts'
import { customers } from './customer.ts'
import { BY_PEOPLE, kept } from './kept.ts'

export const packages = pgTable(
  'packages',
  {
    id: serialId('id'),
    name: text('name').notNull(),
    version: text('version').notNull(),
    model: text('model').notNull(),
    type: text('type', { enum: packageTypes }).notNull(),
    sizeBytes: bytes('size_bytes').notNull(),
    sha256: text('sha256').notNull(),
    md5: text('md5').notNull(),
    /** The key in the file store; never a name from a user. */
    fileKey: text('file_key').notNull(),
    /** As usign writes it, with the name of the key; null: its owner had no keys. */
    signature: text('signature'),
    visibility: text('visibility', { enum: visibilities }).notNull(),
    customerId: integer('customer_id').references(() => customers.id),
    uploaderId: integer('uploader_id'),
    uploadedAt: at('uploaded_at').notNull().defaultNow(),
    syncedAt: at('synced_at'),
    syncError: text('sync_error'),
    remark: text('remark'),
    deletedAt: at('deleted_at'),
  },
  (t) => [
    // One firmware of a version per model, within the owning customer: a conflict must not reveal another tenant's
    // package. Devices report patches and ordinary packages by name, so each name has versions of its own.
    uniqueIndex('packages_version')
      .on(
        sql`coalesce(${t.customerId}, 0)`,
        t.model,
        t.type,
        t.version,
        sql`(case when ${t.type} = 'upgrade' then '' else ${t.name} end)`,
      )
      .where(sql`${t.deletedAt} is null`),
    index('packages_customer').on(t.customerId),
  ],
)
export const packagesKept = kept(packages, BY_PEOPLE)

/** Archives of settings; besides packages the other files that tasks send. */
export const configFiles = pgTable(
  'config_files',
  {
    id: serialId('id'),
    customerId: integer('customer_id')
      .notNull()
      .references(() => customers.id),
    name: text('name').notNull(),
    sizeBytes: bytes('size_bytes').notNull(),
    sha256: text('sha256').notNull(),
    md5: text('md5').notNull(),
    /** The key in the file store; never a name from a user. */
    fileKey: text('file_key').notNull(),
    uploaderId: integer('uploader_id'),
    uploadedAt: at('uploaded_at').notNull().defaultNow(),
    remark: text('remark'),
  },
  (t) => [uniqueIndex('config_files_name').on(t.customerId, sql`lower(${t.name})`)],
)
export const configFilesKept = kept(configFiles, BY_PEOPLE)
