import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { languages } from '../kit/refusal.ts'
import { userTypes } from '../people/session.ts'
import { at, nameKey, phoneKey, serialId } from './columns.ts'
import { customers } from './customer.ts'
import { groups } from './group.ts'
import { BY_PEOPLE, kept } from './kept.ts'

export const roles = pgTable(
  'roles',
  {
    id: serialId('id'),
    /** null: of the platform. */
    customerId: integer('customer_id').references(() => customers.id),
    name: text('name').notNull(),
    functionIds: integer('function_ids').array().notNull().default([]),
    menuIds: integer('menu_ids').array().notNull().default([]),
    /**
     * Seeded by the platform, locked: to be duplicated instead of edited. Others without a customer are for platform
     * users.
     */
    template: boolean('template').notNull().default(false),
    description: text('description'),
    /** 1 normal [§4 Role status]. */
    status: integer('status').notNull().default(1),
    createdBy: integer('created_by'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (t) => [uniqueIndex('roles_name').on(sql`coalesce(${t.customerId}, 0)`, nameKey(t.name))],
)
export const rolesKept = kept(roles, BY_PEOPLE)

export const users = pgTable(
  'users',
  {
    id: serialId('id'),
    username: text('username').notNull(),
    email: text('email'),
    passwordHash: text('password_hash').notNull(),
    type: text('type', { enum: userTypes }).notNull(),
    roleId: integer('role_id').references(() => roles.id),
    customerId: integer('customer_id').references(() => customers.id),
    nickname: text('nickname'),
    realname: text('realname'),
    tel: text('tel'),
    addr: text('addr'),
    qq: text('qq'),
    sex: integer('sex'),
    /** An image. */
    icon: uuid('icon'),
    remark: text('remark'),
    /** 1: receives alarm notices. */
    alarmState: integer('alarm_state').notNull().default(1),
    /** The secret of the second factor, encrypted; confirmed at `totp_at`. */
    totpSecret: text('totp_secret'),
    totpAt: at('totp_at'),
    /** The last time step whose code was used: no code works twice. */
    totpStep: integer('totp_step'),
    createdBy: integer('created_by'),
    /** 1 active, 0 disabled: the user's sessions end. */
    status: integer('status').notNull().default(1),
    monState: integer('mon_state').notNull().default(0),
    defaultGroupId: integer('default_group_id').references(() => groups.id, { onDelete: 'set null' }),
    /** That of the console when they last opened it; used for mail without a chosen language. */
    language: text('language', { enum: languages }),
    lastLoginAt: at('last_login_at'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('users_username').on(sql`lower(${t.username})`),
    uniqueIndex('users_email').on(sql`lower(${t.email})`),
    uniqueIndex('users_tel').on(phoneKey(t.tel)),
    index('users_role').on(t.roleId),
    index('users_customer').on(t.customerId),
  ],
)
export const usersKept = kept(users, BY_PEOPLE)

/**
 * Names of deleted users: whoever approved an upgrade or opened a shell is named as long as that is listed. Columns such as `created_by` keep their ids, which are never
 * given again.
 */
export const formerUsers = pgTable('former_users', {
  id: integer('id').primaryKey(),
  username: text('username').notNull(),
  /** null: of the platform. */
  customerId: integer('customer_id').references(() => customers.id, { onDelete: 'cascade' }),
  deletedAt: at('deleted_at').notNull().defaultNow(),
})
export const formerUsersKept = kept(formerUsers, 'one row for each deleted user')

/** [§6] The groups that a normal user sees, including subgroups. */
export const userGroups = pgTable(
  'user_groups',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    groupId: integer('group_id')
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.userId, t.groupId] })],
)
export const userGroupsKept = kept(userGroups, 'goes with its user')

/** When each user last looked at the home page, and when they did before that visit. */
export const homeVisits = pgTable('home_visits', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  seenAt: at('seen_at').notNull(),
  /** The end of the visit before the current one; null: there was none. */
  since: at('since'),
})
export const homeVisitsKept = kept(homeVisits, 'one row for each user')
