import { and, eq, getTableColumns, ne, sql } from 'drizzle-orm'
import { sayIn } from '#infra/say'
import { hashPassword } from '#infra/secrets'
import type { ParsedBodyOf } from '#schema/kit/call'
import { refuse } from '#schema/kit/refusal'
import { addCustomer, deleteCustomer, getCustomerList, modifyCustomer } from '#schema/people/customer'
import { imageUrl } from '#schema/people/image'
import { peopleRefusals } from '#schema/people/people-refusals'
import { isPlatformType } from '#schema/people/session'
import { sessionRefusals } from '#schema/people/session-refusals'
import { nameKey } from '#schema/tables/columns'
import { customers } from '#schema/tables/customer'
import { devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { users } from '#schema/tables/user'
import { rowOf } from '../kit/about.ts'
import { edit, editionOf } from '../kit/edition.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { visible } from '../kit/scope.ts'
import { whenTaken } from '../kit/unique-violation.ts'
import { storedCustomer } from './customer-object.ts'
import { ownedBy, ownedText } from './customer-owns.ts'
import { checkNewPassword, checkRole } from './user-reach.ts'
import { adoptImage, takenUser } from './user-rows.ts'

/** The first enabled customer administrator. */
const administrator = sql<string | null>`(select u.username from users u
  where u.customer_id = ${customers.id} and u.type = 'customerAdmin' and u.status = 1 order by u.id limit 1)`

export const getCustomerListHandler = listOf(
  getCustomerList,
  'customers',
  ({ db, actor }) => ({
    table: customers,
    rows: db
      .select({
        ...getTableColumns(customers),
        administrator,
        deviceCount:
          sql<number>`(select count(*) from ${devices} where ${devices.customerId} = ${customers.id} and ${visible(actor).devices})`.mapWith(
            Number,
          ),
        userCount:
          sql<number>`(select count(*) from ${users} where ${users.customerId} = ${customers.id} and ${visible(actor).users})`.mapWith(
            Number,
          ),
        edition: editionOf(storedCustomer.parts.main),
      })
      .from(customers)
      // Joined to a dummy table: with a single table Drizzle would drop the table names inside the counts.
      .leftJoin(sql`(select 1) as one`, sql`true`),
    filters: { user_id: null },
  }),
  (rows) => rows.map((row) => ({ ...row, logo: imageUrl(row.logo) })),
)

type Text = string | null | undefined
type Fields = Pick<
  ParsedBodyOf<typeof modifyCustomer>,
  'name' | 'serviceType' | 'totpRequired' | 'terminalRecording'
> &
  Partial<Record<'contact' | 'phone' | 'email' | 'address' | 'copyright' | 'remoteTargets', Text>>

/** A customer's fields as they are stored; blank is empty. */
const columnsOf = (of: Fields) => ({
  name: of.name,
  contact: of.contact || null,
  phone: of.phone || null,
  email: of.email || null,
  address: of.address || null,
  serviceType: of.serviceType,
  copyright: of.copyright || null,
  totpRequired: of.totpRequired,
  terminalRecording: of.terminalRecording,
  remoteTargets: of.remoteTargets || null,
})

/** [§8] Customers are created by those who run the installation, whatever the role. */
function onlyPlatform({ actor }: Pick<CallContext, 'actor'>): void {
  if (!isPlatformType(actor.type)) refuse(sessionRefusals.noPermission)
}

type Administrator = { username: string; passwordHash: string; roleId: number; monState: number }

/** [§5 Customer] "Role required": of the administrator created with it. null: none is created. */
async function checkAdministrator(
  ctx: CallContext,
  body: {
    username?: string | undefined
    password?: string | undefined
    confirmPassword?: string | undefined
    roleId?: number | undefined
    monState: number
  },
): Promise<Administrator | null> {
  if (!body.username) return null
  const roleId = await checkRole(ctx, body.roleId, 'new')
  checkNewPassword(body.password ?? '', 'password')
  if (body.confirmPassword !== body.password) refuse(peopleRefusals.passwordsDiffer, {}, 'confirmPassword')
  const passwordHash = await hashPassword(body.password ?? '')
  return { username: body.username, passwordHash, roleId, monState: body.monState }
}

const taken = (name: string) =>
  whenTaken({ customers_name_unique: () => refuse(peopleRefusals.customerTaken, { name }, 'name') })

/** Checked before a password is hashed and a picture stored; the indexes decide. */
async function refuseNamesake(db: Pick<CallContext['db'], 'select'>, name: string, except = 0) {
  const [found] = await db
    .select({ name: customers.name })
    .from(customers)
    .where(and(eq(nameKey(customers.name), nameKey(sql`${name}::text`)), ne(customers.id, except)))
    .limit(1)
  if (found) refuse(peopleRefusals.customerTaken, { name: found.name }, 'name')
}

export const addCustomerHandler = handler(addCustomer, async (ctx, body) => {
  onlyPlatform(ctx)
  const administrator = await checkAdministrator(ctx, body)
  await refuseNamesake(ctx.db, body.name)
  const groupName = sayIn(ctx.language)('customer:defaultGroup')
  const made = await ctx.db
    .transaction(async (tx) => {
      const [row] = await tx.insert(customers).values(columnsOf(body)).returning({ id: customers.id })
      const customerId = row?.id ?? 0
      const logo = await adoptImage(tx, ctx.actor, body.logo, customerId)
      if (logo) await tx.update(customers).set({ logo }).where(eq(customers.id, customerId))
      const [group] = await tx
        .insert(groups)
        .values({ customerId, name: groupName, level: 1, isDefault: true, createdBy: ctx.actor.userId })
        .returning({ id: groups.id })
      const groupId = group?.id ?? 0
      if (!administrator) return { customerId, groupId, userId: null }
      const [user] = await tx
        .insert(users)
        .values({
          ...administrator,
          type: 'customerAdmin',
          customerId,
          defaultGroupId: groupId,
          createdBy: ctx.actor.userId,
        })
        .returning({ id: users.id })
      return { customerId, groupId, userId: user?.id ?? null }
    })
    .catch(taken(body.name))
    .catch(takenUser(body))
  ctx.note({ after: { administrator: administrator?.username ?? null } })
  return made
})

export const modifyCustomerHandler = handler(modifyCustomer, async (ctx, body) => {
  const { id } = rowOf(ctx, storedCustomer)
  await refuseNamesake(ctx.db, body.name, id)
  await edit(ctx, { opened: body.edition }, async (tx) => {
    const logo = await adoptImage(tx, ctx.actor, body.logo, id)
    await tx
      .update(customers)
      .set({ ...columnsOf(body), logo })
      .where(eq(customers.id, id))
  }).catch(taken(body.name))
  return null
})

export const deleteCustomerHandler = handler(deleteCustomer, async (ctx) => {
  const before = rowOf(ctx, storedCustomer)
  await ctx.sql.begin(async (tx) => {
    // Locked first, so that nothing can be added to the customer meanwhile.
    await tx`select 1 from customers where id = ${before.id} for update`
    await tx`delete from groups g where g.customer_id = ${before.id} and g.is_default
      and not exists (select 1 from devices d where d.group_id = g.id) and not exists (select 1 from groups c where c.parent_id = g.id)
      and not exists (select 1 from enrolment_keys k where k.group_id = g.id)`
    const owned = await ownedBy(tx, before.id)
    // A default group that blocks the deletion is represented by its contents.
    const named = owned.filter(({ table, total }) => table !== 'groups' || total > 1 || owned.length === 1)
    if (named.length > 0)
      refuse(peopleRefusals.customerInUse, { things: ownedText(named, sayIn(ctx.language)) })
    await tx`update packages set customer_id = null where customer_id = ${before.id} and deleted_at is not null`
    await tx`delete from devices where customer_id = ${before.id} and purged_at is not null`
    // Without a key to the customer. What still waits for the mail server must not be sent in its name.
    await tx`delete from alarm_notices where customer_id = ${before.id}`
    await tx`delete from alarm_incidents where customer_id = ${before.id}`
    await tx`delete from mails where customer_id = ${before.id}`
    await tx`delete from customers where id = ${before.id}`
  })
  return null
})
