import { and, eq, sql } from 'drizzle-orm'
import { alarmRefusals } from '#schema/alarm/alarm-refusals'
import { createContact, deleteContact, getContactList, updateContact } from '#schema/alarm/contact'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { alarmRuleContacts, alarmRules } from '#schema/tables/alarm-rule'
import { contacts } from '#schema/tables/contact'
import { customers } from '#schema/tables/customer'
import { editables } from '../kit/editables.ts'
import { editionOf, holdEdition } from '../kit/edition.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { ownerOf } from '../kit/owner.ts'
import { visible } from '../kit/scope.ts'
import { violated } from '../kit/unique-violation.ts'
import { changeableContact } from './alarm-scope.ts'

export const getContactListHandler = listOf(getContactList, 'contacts', ({ db, actor }) => ({
  table: contacts,
  rows: db
    .select({
      id: contacts.id,
      customerId: contacts.customerId,
      customerName: customers.name,
      name: contacts.name,
      phone: contacts.phone,
      email: contacts.email,
      wechat: contacts.wechat,
      remark: contacts.remark,
      changeable: changeableContact(actor),
      ruleCount: sql<number>`(select count(*)::int from ${alarmRuleContacts} where ${alarmRuleContacts.contactId} = ${contacts.id})`,
      createdAt: contacts.createdAt,
      edition: editionOf(editables.contact),
    })
    .from(contacts)
    .innerJoin(customers, eq(customers.id, contacts.customerId)),
}))

/** [§8] The unique indexes decide, and name what is taken. */
async function keep<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const index = violated(error)
    if (index === 'contacts_phone') refuse(alarmRefusals.contactPhoneTaken, {}, 'phone')
    if (index === 'contacts_email') refuse(alarmRefusals.contactEmailTaken, {}, 'email')
    throw error
  }
}

const fieldsOf = (body: {
  name: string
  phone: string
  email: string
  wechat?: string | undefined
  remark?: string | undefined
}) => ({
  name: body.name,
  phone: body.phone,
  email: body.email,
  wechat: body.wechat ?? null,
  remark: body.remark ?? null,
})

export const createContactHandler = handler(createContact, async (ctx, body) => {
  const customerId = await ownerOf(ctx, body.customerId)
  const fields = fieldsOf(body)
  const [made] = await keep(
    ctx.db
      .insert(contacts)
      .values({ customerId, ...fields })
      .returning({ id: contacts.id }),
  )
  if (!made) throw new Error('insert returned nothing')
  ctx.note({ object: body.name, after: fields })
  return made
})

async function reachContact({ db, actor }: CallContext, contactId: number) {
  const [found] = await db
    .select()
    .from(contacts)
    .where(and(visible(actor).contacts, eq(contacts.id, contactId)))
  return found ?? refuse(sessionRefusals.noPermission)
}

/** @throws Refusal 257 when a rule beyond the actor's groups tells this contact. */
async function reachChangeable(ctx: CallContext, contactId: number) {
  const found = await reachContact(ctx, contactId)
  const [own] = await ctx.db
    .select({ id: contacts.id })
    .from(contacts)
    .where(and(eq(contacts.id, found.id), changeableContact(ctx.actor)))
  return own ? found : refuse(alarmRefusals.receiverOfOthers)
}

export const updateContactHandler = handler(updateContact, async (ctx, body) => {
  const before = await reachChangeable(ctx, body.contactId)
  const fields = fieldsOf(body)
  await keep(
    ctx.db.transaction(async (tx) => {
      await holdEdition(ctx, tx, editables.contact, { id: before.id }, body.edition)
      await tx
        .update(contacts)
        .set({ ...fields, updatedAt: ctx.now() })
        .where(eq(contacts.id, before.id))
    }),
  )
  ctx.note({
    object: before.name,
    before: fieldsOf({ ...before, wechat: before.wechat ?? undefined, remark: before.remark ?? undefined }),
    after: fields,
  })
  return null
})

/** [decisions/039] Refused while a rule tells it: who hears of alarms is not lost in passing. */
export const deleteContactHandler = handler(deleteContact, async (ctx, body) => {
  const before = await reachChangeable(ctx, body.contactId)
  const [used] = await ctx.db
    .select({ name: alarmRules.name })
    .from(alarmRuleContacts)
    .innerJoin(alarmRules, eq(alarmRules.id, alarmRuleContacts.ruleId))
    .where(eq(alarmRuleContacts.contactId, before.id))
    .limit(1)
  if (used) refuse(alarmRefusals.contactInUse, { rule: used.name })
  await ctx.db.delete(contacts).where(eq(contacts.id, before.id))
  ctx.note({ object: before.name, before: { name: before.name, phone: before.phone, email: before.email } })
  return null
})
